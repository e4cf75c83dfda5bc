"""The website (make site) in a real browser: on a desktop, on a phone, in the dark; search; nothing from elsewhere."""

import functools
import json
import os
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

SITE = Path(__file__).parents[2] / "build" / "site"
DRIVER = shutil.which("chromedriver")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(not (DRIVER and BROWSER), reason="needs chromium (scripts/install-deps browser)"),
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="there is no website (make site)"),
]
# Where to keep the screenshots, to be looked at.
KEEP = os.environ.get("TREECCA_SCREENSHOTS")
DESKTOP, PHONE = (1280, 900), (390, 844)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def browser(address, tmp_path):
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        f"--user-data-dir={tmp_path}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    complaints = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    driver.quit()
    loaded = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert complaints == []
    assert loaded
    assert [one for one in loaded if not one.startswith((address, "data:", "blob:", "chrome:"))] == []


def show(browser, size, url):
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(url)


def keep(browser, name):
    if KEEP:
        browser.save_screenshot(os.path.join(KEEP, f"site-{name}.png"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_page_fits_the_screen(browser, address, size):
    pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if path.name != "404.html")
    for page in pages:
        show(browser, size, address + page)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0], page
        assert browser.find_elements(By.CSS_SELECTOR, "article h1"), page
        keep(browser, f"{'phone' if size == PHONE else 'desktop'}-{page.removesuffix('.html').replace('/', '-')}")


def test_images_are_shown(browser, address):
    show(browser, DESKTOP, address + "docs/paper.html")
    images = browser.find_elements(By.CSS_SELECTOR, "article img")
    assert images
    assert all(browser.execute_script("return arguments[0].complete", image) for image in images)
    assert all(browser.execute_script("return arguments[0].naturalWidth", image) > 0 for image in images)


def test_search_finds_a_parameter_and_leads_to_it(browser, address):
    show(browser, DESKTOP, address)
    field = browser.find_element(By.CSS_SELECTOR, "input.md-search__input")
    field.send_keys("early_stopping_rounds")
    results = WebDriverWait(browser, 20).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, "a.md-search-result__link")
    )
    keep(browser, "search")
    assert any("/docs/" in result.get_attribute("href") for result in results)
    field.send_keys(Keys.ENTER)
    WebDriverWait(browser, 20).until(lambda driver: "/docs/" in driver.current_url)


def test_the_menu_of_a_phone_opens(browser, address):
    show(browser, PHONE, address)
    browser.find_element(By.CSS_SELECTOR, "header label[for=__drawer]").click()
    WebDriverWait(browser, 20).until(
        lambda driver: any(link.is_displayed() for link in driver.find_elements(By.CSS_SELECTOR, ".md-nav--primary a"))
    )
    keep(browser, "menu")


def test_the_dark_colours_follow_the_system(browser, address):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    show(browser, DESKTOP, address)
    assert browser.execute_script("return document.body.dataset.mdColorScheme") == "slate"
    keep(browser, "dark")
