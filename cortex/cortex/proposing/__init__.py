"""From a theme to a candidate: what to propose, who writes it, and static checks."""
