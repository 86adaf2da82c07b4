// Live examples of the fonts page: the scale, and figures that line up.
import { useState } from "react";
import { Button } from "../button.tsx";
import { Figure } from "../figure.tsx";

/** Each with its size, line height and weight. */
const SCALE = {
  "text-hero": "52/56 640",
  "text-total": "40/48 620",
  "text-section": "28/36 620",
  "text-app": "24/32 620",
  "text-card": "16/24 600",
  "text-read": "16/26",
  "text-ui": "14/20",
  "text-label": "12/16",
  "text-axis": "11/16",
};

/** Sizes. A size comes with its line, weight and tracking; pick one by its role. */
export function TypeScale() {
  return Object.entries(SCALE).map(([look, size]) => (
    <p key={look} className="flex items-baseline justify-between gap-6 border-line border-b py-3">
      <span className={`${look} min-w-0 truncate`}>A precise instrument</span>
      <span className="shrink-0 text-label text-muted">{`${look.slice(5)}, ${size}`}</span>
    </p>
  ));
}

const STEPS = ["64,118.4", "64,121.1", "64,111.7", "9,988.8", "64,120.0"] as const;

/** Figures. Digits of one width hold their columns; without them the same digits wander. */
export function TabularFigures() {
  const [step, setStep] = useState(0);
  const text = STEPS[step % STEPS.length] ?? "";
  return (
    <div className="flex items-center gap-8 text-app">
      <Figure text={text} flash roomChars={8} align="right" />
      <span>{text}</span>
      <Button size={32} onPress={() => setStep(step + 1)}>
        Tick
      </Button>
    </div>
  );
}
