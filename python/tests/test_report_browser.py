"""The report in a real browser: clicked through, on a phone's width, in the dark, by keyboard, on paper."""

import base64
import os
import re
import shutil

import numpy as np
import pytest
from conftest import related_views

from treecca import TreeCCA

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

DRIVER = shutil.which("chromedriver")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(not (DRIVER and BROWSER), reason="needs chromium (scripts/install-deps browser)")
# Where to keep the screenshots, to be looked at.
KEEP = os.environ.get("TREECCA_SCREENSHOTS")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    views = related_views(300, n_views=3)
    model = TreeCCA(3, n_estimators=40, random_state=0).fit(
        dict(zip(["rna", "prot", "metabolites"], views, strict=True))
    )
    path = tmp_path_factory.mktemp("report") / "report.html"
    model.report(path, labels=np.where(views[0][:, 0] > 0, "high", "low"))
    return path.as_uri()


@pytest.fixture
def browser(page):
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_window_size(1000, 900)
    driver.get(page)
    yield driver
    complaints = [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    driver.quit()
    assert complaints == []


def keep(browser, name):
    if KEEP:
        height = browser.execute_script("return document.documentElement.scrollHeight")
        browser.set_window_size(browser.get_window_size()["width"], height + 200)
        browser.save_screenshot(os.path.join(KEEP, name + ".png"))


def tabs(browser):
    return browser.find_elements(By.CSS_SELECTOR, '[role="tab"]')


def shown_panels(browser):
    return [
        p.get_attribute("id") for p in browser.find_elements(By.CSS_SELECTOR, '[role="tabpanel"]') if p.is_displayed()
    ]


def told(browser):
    return browser.find_element(By.ID, "told").text


def test_components_are_chosen_by_mouse_and_keyboard(browser):
    assert shown_panels(browser) == ["panel-0"]
    tabs(browser)[1].click()
    assert shown_panels(browser) == ["panel-1"]
    assert "variate 2" in browser.find_element(By.ID, "samples").text
    tabs(browser)[1].send_keys(Keys.ARROW_RIGHT)
    assert shown_panels(browser) == ["panel-2"]
    assert browser.switch_to.active_element.get_attribute("id") == "tab-2"
    browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert shown_panels(browser) == ["panel-0"]
    keep(browser, "desktop")


def test_samples_are_drawn_named_and_walked_through(browser):
    points = browser.find_elements(By.CSS_SELECTOR, "#samples circle")
    assert len(points) == 300
    assert len({p.get_attribute("class") for p in points}) == 2
    assert sorted(browser.find_element(By.CSS_SELECTOR, ".interactive .legend").text.split()) == ["high", "low"]
    correlation = browser.find_element(By.ID, "correlation").text
    assert re.fullmatch(r"Component 1, rna and prot: out-of-fold correlation 0\.\d\d\.", correlation)
    webdriver.ActionChains(browser).move_to_element(points[10]).perform()
    assert told(browser).startswith("sample ")
    plot = browser.find_element(By.ID, "samples")
    plot.send_keys(Keys.ARROW_RIGHT)
    first = told(browser)
    plot.send_keys(Keys.ARROW_RIGHT)
    assert told(browser) != first
    assert len(browser.find_elements(By.CSS_SELECTOR, "circle.chosen")) == 1


def test_pairs_of_views_are_chosen(browser):
    def points():
        return browser.find_element(By.ID, "samples").get_attribute("innerHTML")

    before = points()
    browser.find_element(By.ID, "view-y").send_keys("metabolites")
    assert "metabolites, variate 1" in browser.find_element(By.ID, "samples").text
    assert points() != before
    assert "rna and metabolites" in browser.find_element(By.ID, "correlation").text
    browser.find_element(By.ID, "view-x").send_keys("metabolites")
    assert browser.find_element(By.ID, "correlation").text == ""  # a view with itself


def test_details_open_and_say_what_was_run(browser):
    details = browser.find_elements(By.TAG_NAME, "details")
    assert not browser.find_element(By.XPATH, "//code[text()='random_state']").is_displayed()
    details[0].find_element(By.TAG_NAME, "summary").click()
    assert browser.find_element(By.XPATH, "//code[text()='random_state']").is_displayed()


def test_fits_a_phone(browser):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    )
    browser.refresh()
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    keep(browser, "phone")


def test_is_readable_in_the_dark(browser):
    def brightness(selector):
        colour = browser.execute_script(
            "return getComputedStyle(document.querySelector(arguments[0]))"
            "[arguments[0] === 'body' ? 'backgroundColor' : 'color']",
            selector,
        )
        return sum(int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3])

    assert brightness("body") > 700 > 200 > brightness("h1")
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    assert brightness("h1") > 600 > 200 > brightness("body")
    keep(browser, "dark")
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    assert brightness("body") > 700 > 200 > brightness("h1")  # paper is white


def test_prints_every_component(browser, tmp_path):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert len(shown_panels(browser)) == 3
    plain = browser.find_elements(By.CSS_SELECTOR, ".plain")
    assert len(plain) == 3 and all(plot.is_displayed() for plot in plain)
    assert not browser.find_element(By.ID, "samples").is_displayed()
    pdf = base64.b64decode(browser.print_page())
    assert pdf.startswith(b"%PDF") and len(pdf) > 20_000
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 6
    if KEEP:
        with open(os.path.join(KEEP, "report.pdf"), "wb") as file:
            file.write(pdf)


def test_needs_no_script_to_be_read(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get(page)
    assert len(shown_panels(browser)) == 3
    assert not browser.find_element(By.CSS_SELECTOR, ".chooser").is_displayed()
    assert all(plot.is_displayed() for plot in browser.find_elements(By.CSS_SELECTOR, ".plain"))


def test_charts_fill_their_column(browser):
    gaps = browser.execute_script(
        "return [...document.querySelectorAll('figure svg.chart, .pair > div > svg.chart')]"
        ".filter((svg) => svg.getBoundingClientRect().width > 0)"
        ".map((svg) => svg.parentElement.getBoundingClientRect().width - svg.getBoundingClientRect().width)"
    )
    assert len(gaps) > 10
    assert max(gaps) < 2
    rows = browser.execute_script(
        "return [...document.querySelectorAll('.row')].filter((row) => row.offsetWidth > 0)"
        ".map((row) => [row.children.length, getComputedStyle(row).gridTemplateColumns.split(' ').length])"
    )
    assert all(children % columns == 0 for children, columns in rows)


def test_asks_nobody_else(browser, page):
    addresses = browser.execute_script("return performance.getEntriesByType('resource').map((r) => r.name)")
    assert addresses == []
