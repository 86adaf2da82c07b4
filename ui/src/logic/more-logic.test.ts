import { describe, expect, it } from "vitest";
import { type CaptchaAnswer, type GeetestStart, type GeetestWindow, geetestSolver, workSolver } from "./captcha.ts";
import { coinLetters, coinTone } from "./coin-tone.ts";
import { askPath, bidPath, placeDepth } from "./depth-shape.ts";
import { findMove } from "./figure-move.ts";
import { ICON_NAMES, ICON_PATHS } from "./icon-paths.ts";
import { isProof } from "./proof-of-work.ts";
import { rosettePath } from "./rosette.ts";
import { matchesWords } from "./sort-rows.ts";
import { findUploadFault, formatBytes } from "./upload-rule.ts";

describe("countries", () => {
  it("is found by words in any order, without accents, and by code", () => {
    expect(matchesWords("São Tomé and Príncipe +239", "principe sao")).toBe(true);
    expect(matchesWords("United Arab Emirates +971 AE", "+971")).toBe(true);
    expect(matchesWords("United Kingdom", "united arab")).toBe(false);
  });
});

describe("figures", () => {
  it("[SITE-20] reads the direction of a move exactly, and claims none where it cannot", () => {
    expect(findMove("64,118.4", "64,118.5")).toBe(1);
    expect(findMove("$1,000.00", "$999.99")).toBe(-1);
    expect(findMove("−0.42%", "−0.41%")).toBe(1);
    expect(findMove("0.1", "0.10")).toBe(0);
    expect(findMove("1.2M", "990K")).toBe(0);
    expect(findMove("--", "5")).toBe(0);
    expect(findMove("9007199254740993", "9007199254740992")).toBe(-1);
  });
});

describe("depth", () => {
  const level = (price: number, total: number) => ({ price, total, priceText: "", totalText: "" });
  const shape = placeDepth([level(9, 1), level(8, 3)], [level(11, 2), level(12, 4)]);
  it("puts bids left of the middle and asks right of it, on one scale", () => {
    expect(shape.middle).toBe(0.5);
    expect(shape.bids.map((point) => point.x)).toEqual([0, 0.25]);
    expect(shape.asks.map((point) => point.x)).toEqual([0.75, 1]);
    expect(shape.asks[1]?.y).toBeLessThan(shape.bids[0]?.y ?? 0);
  });
  it("the total of a level applies outward from the middle", () => {
    expect(
      bidPath(
        [
          { x: 0, y: 0.2 },
          { x: 0.5, y: 0.6 },
        ],
        100,
        10,
      ),
    ).toBe("M0 2V6H50V10");
    expect(
      askPath(
        [
          { x: 0.5, y: 0.6 },
          { x: 1, y: 0.2 },
        ],
        100,
        10,
      ),
    ).toBe("M50 10V6H100V2");
    expect(placeDepth([], []).bids).toEqual([]);
    expect(bidPath([], 100, 10)).toBe("");
  });
});

describe("uploads", () => {
  const rule = { types: ["image/*", "application/pdf"], bytesMax: 100, countMax: 2 };
  it("refuses what the server would refuse, naming the first reason", () => {
    expect(findUploadFault({ type: "image/png", size: 100 }, 0, rule)).toBeUndefined();
    expect(findUploadFault({ type: "image/png", size: 101 }, 0, rule)).toBe("size");
    expect(findUploadFault({ type: "imagex/png", size: 1 }, 0, rule)).toBe("type");
    expect(findUploadFault({ type: "", size: 1 }, 0, rule)).toBe("type");
    expect(findUploadFault({ type: "application/pdf", size: 0 }, 0, rule)).toBe("empty");
    expect(findUploadFault({ type: "image/png", size: 1 }, 2, rule)).toBe("count");
  });
  it("formats sizes rounded up", () => {
    expect([1023, 1024, 1025, 10_485_761].map(formatBytes)).toEqual(["1023 B", "1.0 KB", "1.1 KB", "10.1 MB"]);
  });
});

describe("captcha door", () => {
  const run = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

  /** The provider's window as a script of what it will do once shown. */
  function provider(act: "success" | "error" | "close", answer: CaptchaAnswer | false = { token: "t" }): GeetestStart {
    return (_config, ready) => {
      const listeners = new Map<string, () => void>();
      const keep = (name: string) => (listener: () => void) => {
        listeners.set(name, listener);
        return shown;
      };
      const shown: GeetestWindow = {
        onReady: keep("ready"),
        onSuccess: keep("success"),
        onError: keep("error"),
        onClose: keep("close"),
        showCaptcha: () => listeners.get(act)?.(),
        getValidate: () => answer,
      };
      ready(shown);
      listeners.get("ready")?.();
    };
  }

  it("[AUTH-8] the embedded solver answers with id and nonce as the server checks them", async () => {
    const challenge = { id: "c7", salt: "k3.8.abc", zeroBits: 8 };
    const answer = await workSolver.solve(challenge, run());
    expect(answer.id).toBe("c7");
    expect(isProof(challenge, answer.nonce ?? "")).toBe(true);
  });
  it("[AUTH-8] a provider's answer comes through, and its failures reject", async () => {
    const solve = (start: GeetestStart) => geetestSolver(async () => start).solve({ captchaId: "x" }, run());
    await expect(solve(provider("success"))).resolves.toEqual({ token: "t" });
    await expect(solve(provider("success", false))).rejects.toThrow("CAPTCHA_FAILED");
    await expect(solve(provider("error"))).rejects.toThrow("CAPTCHA_FAILED");
    await expect(solve(provider("close"))).rejects.toThrow("CAPTCHA_CLOSED");
  });
});

describe("drawings", () => {
  it("are the same for the same name, and short enough for every row", () => {
    expect(rosettePath("marcus")).toBe(rosettePath("marcus"));
    expect(rosettePath("marcus")).not.toBe(rosettePath("ada"));
    for (const name of ICON_NAMES) {
      expect(ICON_PATHS[name], name).toMatch(/^#?M/);
      expect(ICON_PATHS[name], name).not.toMatch(/\d\.\d{4,}/);
      expect(ICON_PATHS[name], name).not.toContain("NaN");
    }
    expect(coinTone("btc")).toBe(coinTone("BTC"));
    expect(coinTone("ANYTHING")).toBeLessThan(10);
    expect([coinLetters("btc"), coinLetters("1000SATS"), coinLetters("")]).toEqual(["B", "1", "?"]);
  });
});
