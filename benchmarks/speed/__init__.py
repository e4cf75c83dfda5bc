"""Speed of TreeCCA compared with LightGBM, XGBoost and cca-zoo."""
