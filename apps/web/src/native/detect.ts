// Which native shell a page runs in, if any. Pure: the caller brings the user agent and, in a browser, the bridge.
// Never trusts a shell for anything but looks and the `system` header.

export const SHELLS = ["ios", "android", "flutter"] as const;
export type Shell = (typeof SHELLS)[number];

const tokens: Readonly<Record<Shell, RegExp>> = {
  // The flutter shell runs on both systems, so its token is checked first.
  flutter: /\bClockworkFlutter\/\d/,
  ios: /\bClockworkIos\/\d/,
  android: /\bClockworkAndroid\/\d/,
};

export function detectShell(userAgent: string | undefined): Shell | undefined {
  if (userAgent === undefined) return undefined;
  for (const shell of ["flutter", "ios", "android"] as const) {
    if (tokens[shell].test(userAgent)) return shell;
  }
  return undefined;
}
