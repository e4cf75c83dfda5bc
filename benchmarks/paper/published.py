"""The paper's numbers, as printed."""

NONLINEAR = {  # Table 1: peak test TCC, five seeds
    "signed_power": {
        "linear": "1.63 ± 0.04",
        "kcca": "2.28 ± 0.03",
        "deepcca": "2.43 ± 0.04",
        "treecca": "2.61 ± 0.04",
    },
    "hermite": {"linear": "0.14 ± 0.06", "kcca": "2.68 ± 0.05", "deepcca": "2.89 ± 0.02", "treecca": "2.93 ± 0.02"},
}
NONLINEAR_SECONDS = {"linear": "<0.1", "kcca": "13", "deepcca": "300", "treecca": "50"}

SPLIT_MNIST = {  # Table 2: train, validation
    "linear": ("13.87", "9.41"),
    "deepcca": ("49.69", "25.46"),
    "treecca": ("31.59", "30.44"),
}

HAR = {  # Table 3: test TCC, probe accuracy, seconds
    "linear": ("2.63", "0.182", "<1"),
    "deepcca": ("4.67 ± 0.06", "0.510 ± 0.010", "80"),
    "treecca": ("4.32 ± 0.22", "0.466 ± 0.021", "17"),
}
HAR_MAGNITUDE_SHARE = {"gyro": 0.47, "acc": 0.26}

SPARSE = {  # Table 4: Precision@5, TCC
    50: {"pmd": ("0.06 ± 0.05", "0.43 ± 0.19"), "treecca": ("1.00 ± 0.00", "2.31 ± 0.24")},
    200: {"pmd": ("0.02 ± 0.04", "0.54 ± 0.15"), "treecca": ("0.78 ± 0.13", "1.75 ± 0.55")},
    500: {"pmd": ("0.02 ± 0.04", "0.38 ± 0.06"), "treecca": ("0.26 ± 0.14", "1.24 ± 0.32")},
    2000: {"pmd": ("0.00 ± 0.00", "0.35 ± 0.11"), "treecca": ("0.06 ± 0.12", "0.60 ± 0.17")},
}

MULTIVIEW = {  # Table 5: MCCA TCC and accuracy, TreeMCCA TCC and accuracy
    "caltech101_7": (("3.77 ± 0.14", "0.900 ± 0.017"), ("5.16 ± 0.09", "0.913 ± 0.018")),
    "threesources": (("1.30 ± 0.69", "0.176 ± 0.083"), ("3.63 ± 0.11", "0.706 ± 0.026")),
    "nus_wide": (("3.03 ± 0.11", "0.349 ± 0.019"), ("5.28 ± 0.18", "0.365 ± 0.022")),
    "handwritten": (("4.56 ± 0.03", "0.911 ± 0.009"), ("5.43 ± 0.05", "0.872 ± 0.021")),
    "msrc_v5": (("1.67 ± 0.07", "0.662 ± 0.063"), ("3.47 ± 0.22", "0.862 ± 0.063")),
}

SSL = {"PCA(X)": "0.159", "treecca": "0.630", "PCA(|X|)": "0.799", "|X|": "0.991", "|Z|": "0.994"}
