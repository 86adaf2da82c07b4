// GeeTest, version 4, from the server: an answer of its widget is verified with the provider, signed with our key.
import { createHmac } from "node:crypto";
import type { CaptchaProvider } from "../captcha/needs.ts";

const TIMEOUT_MS = 5000;

export interface GeetestSettings {
  readonly geetestId: string;
  readonly geetestKey: string;
  readonly geetestScript: string;
  readonly geetestApi: string;
}

export function geetestProvider(settings: GeetestSettings): CaptchaProvider {
  const { geetestId: captchaId, geetestKey: key, geetestScript: scriptUrl } = settings;
  const url = `${settings.geetestApi.replace(/\/$/, "")}/validate`;
  return {
    captchaId,
    scriptUrl,
    async check({ lot_number, captcha_output, pass_token, gen_time }) {
      if (lot_number === undefined || captcha_output === undefined) return false;
      if (pass_token === undefined || gen_time === undefined) return false;
      const sign_token = createHmac("sha256", key).update(lot_number).digest("hex");
      const response = await fetch(`${url}?captcha_id=${encodeURIComponent(captchaId)}`, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        body: new URLSearchParams({ lot_number, captcha_output, pass_token, gen_time, sign_token }),
      });
      if (!response.ok) throw new Error(`GeeTest answered ${response.status}`);
      const { result } = (await response.json()) as { result?: unknown };
      return result === "success";
    },
  };
}
