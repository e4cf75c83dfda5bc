"""Every table and figure of the TreeCCA paper next to our results: `python -m benchmarks.paper`.

An experiment (`experiments/`) lists its units of work and writes a section of the page from their results. A unit is a
task (`tasks`) with arguments. `results` computes each unit once and keeps it, so an interrupted run resumes and
experiments share fits. `protocol` scores embeddings, `published` holds the paper's numbers, `baselines/` the methods to
compare with, and `page` assembles the page.
"""
