"""The rule-based planner behind the offline model: question → intents → calls → words."""
