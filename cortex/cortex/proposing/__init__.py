"""From a theme to one candidate: what to propose, who writes it, what is refused for free."""
