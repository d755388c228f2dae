"""How an audit's page looks: on screens of any width, light and dark, and on paper."""

STYLE = """
:root{color-scheme:light dark;--ink:#1d2430;--soft:#5b6575;--line:#d9dee6;--paper:#fff;
--card:#f6f8fa;
--share:#b4540a;--ground:#e6eaf0;--scored:#2f7d6b;--ignored:#9aa5b4;--clash:#7a4fb0;
--unmatched:#d9822b;
--sentinel:#c9a800;--missing:#5f7fb5;--invalid:#c0392b;--absent:#39414e}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#9aa5b4;--line:#343c48;
--paper:#14181f;
--card:#1c222b;--share:#e8924a;--ground:#2b333f;--scored:#4fae97;--ignored:#76818f;--clash:#a684d6;
--unmatched:#e8a35c;--sentinel:#dcc34a;--missing:#7f9fd6;--invalid:#e06a5d;--absent:#c3cad4}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1rem;background:var(--paper);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.25rem 0 .5rem}
p{margin:.35rem 0}
.soft,.none,caption{color:var(--soft)}
.shares{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:1rem;
margin-top:1rem}
.shares strong{font-size:1.5rem;display:block;line-height:1.2}
.finding{background:var(--card);border-left:.3rem solid var(--soft);border-radius:.25rem;
padding:.6rem .9rem;margin:.75rem 0;break-inside:avoid}
.wrong{border-color:var(--invalid)}.check{border-color:var(--unmatched)}
.finding h3{font-size:1rem;margin:0}
.finding code{color:var(--soft);font-weight:400;font-size:.85rem;margin-left:.4rem}
.finding ul{margin:.35rem 0;padding-left:1.2rem;color:var(--soft);font-size:.9rem;
overflow-wrap:anywhere}
.advice::before{content:"\\2192\\00a0"}
.scroll{overflow-x:auto;margin-bottom:1.25rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{padding:.3rem .6rem .3rem 0;text-align:left;vertical-align:top;
border-bottom:1px solid var(--line)}
td{overflow-wrap:break-word;max-width:28rem}
th{color:var(--soft);font-weight:600;white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.bar{display:block;width:100%;min-width:6rem;height:.7rem;border-radius:.15rem;margin-top:.4rem}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;padding:0;font-size:.85rem;
color:var(--soft)}
.legend svg{width:.7rem;height:.7rem;margin-right:.35rem}
.ground{fill:var(--ground)}.share{fill:var(--share)}.scored{fill:var(--scored)}
.ignored{fill:var(--ignored)}.clash{fill:var(--clash)}.unmatched{fill:var(--unmatched)}
.sentinel{fill:var(--sentinel)}.missing{fill:var(--missing)}.invalid{fill:var(--invalid)}
.absent{fill:var(--absent)}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--soft)}
footer{margin:2.5rem 0 1rem;color:var(--soft);font-size:.85rem}
@media (max-width:40rem){body{padding:.75rem}table{font-size:.82rem}th,td{padding-right:.45rem}
td{max-width:15rem}}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--card:#fff;--ground:#ddd}
body{max-width:none;padding:0;font-size:10pt}.scroll{overflow:visible}
.finding{border:1px solid #999;
border-left-width:.3rem}rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}
tr{break-inside:avoid}h2{break-after:avoid}}
"""
"""The page's style sheet; it names no font or picture that would have to be fetched."""
