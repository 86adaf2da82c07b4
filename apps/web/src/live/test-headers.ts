// Header values of an unrecognised visitor, and of a logged-in user.
import type { HeaderSource } from "./headers.ts";

export const anonymousHeaders: HeaderSource = {
  language: () => "en_US",
  selectType: () => "USD",
  accessToken: () => undefined,
  token: () => undefined,
  loginToken: () => undefined,
  futuresToken: () => undefined,
  deviceId: () => "device-1",
  cwDeviceId: () => "device-1",
  systemVersion: () => "Linux",
  deviceName: () => "Chrome 131 on Linux",
  system: () => undefined,
};

export const userHeaders: HeaderSource = {
  ...anonymousHeaders,
  accessToken: () => "access-1",
  token: () => "plain-1",
  loginToken: () => "login-1",
};
