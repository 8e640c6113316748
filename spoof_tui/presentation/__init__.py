"""Pure wording and drawing: what a view says and how it looks, without widgets."""
