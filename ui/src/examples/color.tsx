// Live examples of the colour page: movement and metals. Each is separate so that its source can be shown.
import { useState } from "react";
import { Button } from "../button.tsx";
import { Change, Figure } from "../figure.tsx";
import { Segmented } from "../segmented.tsx";

const MOVES = [
  { id: "green-up", title: "Green up" },
  { id: "red-up", title: "Red up" },
];
const THEMES = ["Light", "Dark", "Terminal"].map((title) => ({ id: title.toLowerCase(), title }));

/** Up and down. Two roles that one attribute swaps, in three themes. */
export function UpAndDown() {
  const [updown, setUpdown] = useState("green-up");
  const [theme, setTheme] = useState("light");
  const look = theme === "terminal" ? { "data-theme": "dark", "data-surface": theme } : { "data-theme": theme };
  return (
    <div {...look} data-updown={updown} className="flex flex-wrap items-center gap-8 rounded-card bg-bg p-5 text-text">
      <Segmented label="Up and down" value={updown} onChange={setUpdown} segments={MOVES} />
      <Segmented label="Theme" value={theme} onChange={setTheme} segments={THEMES} />
      <Figure text="64,120.0" move={1} className="text-app" />
      <Change text="+1.84%" />
      <Change text="−0.42%" />
      <Button kind="buy">Buy BTC</Button>
      <Button kind="sell">Sell BTC</Button>
    </div>
  );
}

const METALS = ["Ink", "Brass", "Verdigris", "Steel", "Parchment", "Nickel"];

/** Data metals. Six quiet hues for shares of a whole. Never for movement, never for actions. */
export function DataMetals() {
  return (
    <ul className="grid grid-cols-6 gap-2 text-label max-md:grid-cols-3">
      {METALS.map((name, at) => (
        <li key={name}>
          <span className="block h-14 rounded-control" style={{ background: `var(--m${at + 1})` }} />
          {name} <code className="font-mono text-muted">--m{at + 1}</code>
        </li>
      ))}
    </ul>
  );
}
