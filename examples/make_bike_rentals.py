"""Writes bike_rentals.csv, the data of the demo notebook: 420 made-up days of a bike rental shop.

One row a day: date, weather, temperature in degrees Celsius (missing on the days when the thermometer failed),
relative humidity in percent, wind in km/h, and the number of bikes rented by registered and by casual riders and in
all. The numbers come from a seeded generator of the standard library, so the file is the same on every machine:

    python examples/make_bike_rentals.py
"""

from __future__ import annotations

import csv
import datetime
import math
import random
from pathlib import Path

DAYS = 420
FIRST_DAY = datetime.date(2025, 1, 1)
THERMOMETER_FAILED = 0.04  # share of the days without a temperature


def days(count: int, seed: int = 20250101) -> list[dict[str, object]]:
    """The table's rows, oldest first."""
    rng = random.Random(seed)
    rows = []
    for offset in range(count):
        date = FIRST_DAY + datetime.timedelta(days=offset)
        season = math.sin((offset - 100) / 365 * 2 * math.pi)  # -1 in mid-winter, 1 in mid-summer
        temperature = round(11 + 10 * season + rng.gauss(0, 3), 1)
        weather = rng.choices(["clear", "cloudy", "rain"], weights=[5, 4, 2 - season])[0]
        humidity = round(min(98, max(30, 62 - 8 * season + (18 if weather == "rain" else 0) + rng.gauss(0, 7))))
        wind = round(max(0.0, rng.gauss(14, 6)), 1)
        demand = 320 + 14 * temperature - 3 * wind - {"clear": 0, "cloudy": 45, "rain": 170}[weather]
        casual = round(max(5, demand * (0.42 if date.weekday() >= 5 else 0.18) + rng.gauss(0, 18)))
        registered = round(max(10, demand * (0.50 if date.weekday() >= 5 else 0.74) + rng.gauss(0, 26)))
        failed = rng.random() < THERMOMETER_FAILED
        rows.append(
            {
                "date": date.isoformat(),
                "weather": weather,
                "temp_c": "" if failed else temperature,
                "humidity": humidity,
                "wind_kmh": wind,
                "registered": registered,
                "casual": casual,
                "rentals": registered + casual,
            }
        )
    return rows


def main() -> None:
    table = days(DAYS)
    target = Path(__file__).with_name("bike_rentals.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()
