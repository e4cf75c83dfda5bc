#include "report/page.hpp"

namespace treecca::report {

const std::string_view kStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --card: #f6f8fa; --line: #d0d7de;
  --honest: #0072b2; --in-sample: #8fbcdb; --linear: #8b8f94; --warn: #fff4d6; --warn-line: #d4a017; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9aa5b1; --paper: #0d1117; --card: #161b22; --line: #30363d;
    --honest: #4aa8e0; --in-sample: #2f5d7c; --linear: #7d848c; --warn: #2d2510; --warn-line: #b58a1b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: .2rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); font-size: .9rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; padding: 0; list-style: none; }
.cards li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; }
.cards b { display: block; font-size: 1.3rem; }
.warnings { background: var(--warn); border-left: 4px solid var(--warn-line); padding: .5rem 1rem; margin: 1rem 0; }
.warnings ul { margin: 0; padding-left: 1.2rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .5rem 0; font-size: .95rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
th { overflow-wrap: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.chart { width: 100%; height: auto; max-width: 45rem; display: block; } .chart text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 1; } .mark { stroke: var(--soft); stroke-dasharray: 2 3; }
.curve { fill: none; stroke-width: 2; } .dashed { stroke-dasharray: 6 4; }
.curve.honest { stroke: var(--honest); } .curve.in-sample { stroke: var(--in-sample); } .curve.linear { stroke: var(--linear); }
.bar.honest, .key.honest { fill: var(--honest); background: var(--honest); }
.bar.in-sample, .key.in-sample { fill: var(--in-sample); background: var(--in-sample); }
.bar.linear, .key.linear { fill: var(--linear); background: var(--linear); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; margin: .3rem 0; font-size: .9rem; }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: .15rem; margin-right: .35rem; }
.chooser { position: sticky; top: 0; background: var(--paper); padding: .3rem 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .3rem; margin: .5rem 0; }
.chooser button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem;
  padding: .25rem .7rem; cursor: pointer; }
.chooser button[aria-selected="true"] { background: var(--honest); color: #fff; border-color: var(--honest); }
button:focus-visible, select:focus-visible, summary:focus-visible, svg:focus-visible { outline: 3px solid var(--warn-line); outline-offset: 2px; }
.views { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1.5rem; }
.shapes { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .3rem; }
.shapes figure { margin: 0; } figcaption { font-size: .85rem; color: var(--soft); }
#samples { touch-action: manipulation; max-width: 32rem; } #samples circle { stroke: none; opacity: .65; }
#samples circle.chosen { opacity: 1; stroke: var(--ink); stroke-width: 2; }
#told { min-height: 1.5rem; font-size: .9rem; } details { margin: .6rem 0; } summary { cursor: pointer; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; overflow-x: auto; white-space: pre-wrap; }
[hidden] { display: none; }
@media (max-width: 32rem) { .chart text { font-size: 17px; } }
@media print { body { max-width: none; font-size: 11pt; } .chooser, .no-print { display: none; }
  section, figure, table { break-inside: avoid; } [role="tabpanel"][hidden] { display: block; } details > * { display: block; } }
)css";

}  // namespace treecca::report
