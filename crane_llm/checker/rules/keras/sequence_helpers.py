from __future__ import annotations

from typing import Any

from ..base import Rule

SETUP = "import numpy as np\nfrom tensorflow.keras.utils import to_categorical\nfrom tensorflow.keras.preprocessing.sequence import pad_sequences\nwords = [[1, 2], [3]]\n"


class SequenceHelpers(Rule):
    """``pad_sequences`` or ``to_categorical`` is given what it cannot use.

    ``pad_sequences`` takes a list of sequences, not one; ``to_categorical`` takes whole numbers from 0 to the number of classes less one.

    Example: ``pad_sequences([1, 2, 3])``; ``to_categorical([0, 5], num_classes=3)``; text labels.

    Fix: wrap the one sequence in a list; number the classes from 0 (``LabelEncoder``, ``factorize``).
    """

    code = "keras.sequence-helpers"
    library = "keras"
    exceptions = ("ValueError", "IndexError", "TypeError")
    requires = ("tensorflow",)
    order = 17
    CRASHES = [
        (SETUP, "pad_sequences([1, 2, 3])", "ValueError"),
        (SETUP, "pad_sequences(5)", "ValueError"),
        (SETUP, "pad_sequences(words, maxlen=4, padding='after')", "ValueError"),
        (SETUP, "to_categorical([0, 1, 5], num_classes=3)", "IndexError"),
        (SETUP, "to_categorical(['cat', 'dog'])", "ValueError"),
        (SETUP, "[pad_sequences(word) for word in words]", "ValueError"),
    ]
    RUNS = [
        (SETUP, "pad_sequences(words, maxlen=4)[1, 3]"),
        (SETUP, "to_categorical([0, 1, 2])[2]\nto_categorical(np.array([[1], [0]]), 4).shape"),
        (SETUP, "pad_sequences([[]])\npad_sequences([words[0]])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return str(event.key or "").startswith(("keras.src.utils.sequence_utils.", "keras.src.utils.numerical_utils."))

    def explain(self, event: Any, error: BaseException) -> str:
        return f"{str(event.key).rpartition('.')[2]} refuses its argument: {str(error).splitlines()[0].rstrip('.')}."
