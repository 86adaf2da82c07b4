// Live examples of the colour page: roles, movement, metals. Each stands alone so that its source can be shown.

import { useState } from "react";
import { Button } from "../button.tsx";
import { Change, Figure } from "../figure.tsx";
import { Segmented } from "../segmented.tsx";

const ROLES = [
  "bg",
  "surface",
  "raised",
  "header",
  "line",
  "line2",
  "text",
  "muted",
  "faint",
  "accent",
  "accent-solid",
  "up",
  "down",
  "up-text",
  "down-text",
  "danger",
  "warn",
  "info",
] as const;

/** Every role as the page's own theme paints it. */
export function RoleSwatches() {
  return (
    <ul className="grid grid-cols-3 gap-3 max-md:grid-cols-2">
      {ROLES.map((role) => (
        <li key={role} className="flex items-center gap-3">
          <span className="size-8 rounded-control border border-line2" style={{ background: `var(--${role})` }} />
          <code className="font-mono text-label">--{role}</code>
        </li>
      ))}
    </ul>
  );
}

/** Two roles that one attribute swaps, in three themes. */
export function UpAndDown() {
  const [updown, setUpdown] = useState("green-up");
  const [theme, setTheme] = useState("light");
  const isTerminal = theme === "terminal";
  return (
    <div
      data-theme={isTerminal ? "dark" : theme}
      data-surface={isTerminal ? "terminal" : undefined}
      data-updown={updown}
      className="rounded-card border border-line bg-bg text-text"
    >
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-2">
        <Segmented
          label="Up and down"
          value={updown}
          onChange={setUpdown}
          segments={[
            { id: "green-up", title: "Green up" },
            { id: "red-up", title: "Red up" },
          ]}
        />
        <Segmented
          label="Theme"
          value={theme}
          onChange={setTheme}
          segments={[
            { id: "light", title: "Light" },
            { id: "dark", title: "Dark" },
            { id: "terminal", title: "Terminal" },
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center gap-10 p-5">
        <div>
          <div className="text-label text-muted">Last price</div>
          <Figure text="64,120.0" move={1} className="text-app" />
        </div>
        <div>
          <div className="text-label text-muted">24h change</div>
          <Change text="+1.84%" />
        </div>
        <div>
          <div className="text-label text-muted">24h change</div>
          <Change text="−0.42%" />
        </div>
        <div className="ml-auto flex gap-3">
          <Button kind="buy" size={40} className="min-w-28">
            Buy BTC
          </Button>
          <Button kind="sell" size={40} className="min-w-28">
            Sell BTC
          </Button>
        </div>
      </div>
    </div>
  );
}

const METALS = [
  { name: "Ink", token: "m1" },
  { name: "Brass", token: "m2" },
  { name: "Verdigris", token: "m3" },
  { name: "Steel", token: "m4" },
  { name: "Parchment", token: "m5" },
  { name: "Nickel", token: "m6" },
] as const;

/** Six quiet hues for shares of a whole. Never for movement, never for actions. */
export function DataMetals() {
  return (
    <ul className="grid grid-cols-6 gap-2 max-md:grid-cols-3">
      {METALS.map((metal) => (
        <li key={metal.token} className="flex flex-col gap-1.5">
          <span className="h-14 rounded-control" style={{ background: `var(--${metal.token})` }} />
          <span className="flex justify-between text-label">
            <span className="font-medium">{metal.name}</span>
            <code className="font-mono text-muted">--{metal.token}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
