"""Rubrics of language-model judges, and their replies read into scores."""
