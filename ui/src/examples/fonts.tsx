// Live examples of the fonts page: the scale, and figures that line up.

import { useState } from "react";
import { Button } from "../button.tsx";
import { Figure } from "../figure.tsx";

const SCALE = [
  { name: "hero", look: "text-hero", size: "52/56 640" },
  { name: "total", look: "text-total", size: "40/48 620" },
  { name: "section", look: "text-section", size: "28/36 620" },
  { name: "app", look: "text-app", size: "24/32 620" },
  { name: "card", look: "text-card", size: "16/24 600" },
  { name: "read", look: "text-read", size: "16/26" },
  { name: "ui", look: "text-ui", size: "14/20" },
  { name: "label", look: "text-label", size: "12/16" },
  { name: "axis", look: "text-axis", size: "11/16" },
] as const;

/** Every size has its line, weight and tracking in one name. */
export function TypeScale() {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {SCALE.map((step) => (
        <li key={step.name} className="flex items-baseline justify-between gap-6 py-3">
          <span className={`${step.look} min-w-0 truncate`}>A precise instrument</span>
          <span className="shrink-0 text-label text-muted">
            {step.name}, {step.size}
          </span>
        </li>
      ))}
    </ul>
  );
}

const STEPS = ["64,118.4", "64,121.1", "64,111.7", "9,988.8", "64,120.0"] as const;

/** Tabular figures hold their columns; without them the same digits wander. */
export function TabularFigures() {
  const [step, setStep] = useState(0);
  const text = STEPS[step % STEPS.length] ?? "";
  return (
    <div className="flex items-end gap-8">
      <div>
        <div className="text-label text-muted">figures</div>
        <Figure text={text} flash roomChars={8} align="right" className="text-app" />
      </div>
      <div>
        <div className="text-label text-muted">proportional</div>
        <span className="text-app">{text}</span>
      </div>
      <Button size={32} onPress={() => setStep(step + 1)}>
        Tick
      </Button>
    </div>
  );
}
