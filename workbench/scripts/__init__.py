"""Scripts and commands of the `extended` specialist: started, watched, and what they leave."""
