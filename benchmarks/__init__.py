"""Measures accuracy and speed of TreeCCA (README.md). Commands run as modules in the root of the checkout, for example
`python -m benchmarks.quality`. Not part of the installed package."""
