"""The study's experiments, repeatable: prompts from notebook pairs, replies of models, scores.

The names of a benchmark's targets end in ``_reproduced`` (the notebook that crashes) or ``_fixed`` (its repaired twin).
"""
