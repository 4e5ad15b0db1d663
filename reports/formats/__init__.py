"""From a document to text: HTML, Markdown, JSON, LaTeX, JUnit, SARIF, needs, scripts."""
