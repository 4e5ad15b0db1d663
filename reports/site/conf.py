"""Sphinx's settings of the site; `make site` builds it, warnings are errors."""

import boundaudit
from boundaudit.reports.site.pages import PALETTES

project = "boundaudit"
author = "the boundaudit authors"
release = boundaudit.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "boundaudit.reports.site.pages"]
exclude_patterns = ["*.py", "*.j2"]

# Pages: Markdown, some of it outside this folder, where links to files are for readers on GitHub.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]

# Docstrings. Every role must lead somewhere. Classes are asked for by annotations and by prose, in which those that are
# documented here become links and others stay words.
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "groupwise"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False
nitpicky = True
nitpick_ignore_regex = [("py:class", ".*"), ("py:exc", "Empty|Unfinished")]

html_theme = "furo"
html_title = "boundaudit"
html_static_path = ["static"]
html_css_files = ["report.css", "site.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": PALETTES[0] | {"color-brand-primary": "#1f4e8c", "color-brand-content": "#1f4e8c"},
    "dark_css_variables": PALETTES[1] | {"color-brand-primary": "#9cc2f5", "color-brand-content": "#9cc2f5"},
}
