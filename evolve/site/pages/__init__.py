"""The pages of the site, one module each (evolve/site/page_registry.py)."""
