// The address of the chat.
import { expect, test } from "vitest";
import { chatAddress, readChatUrl } from "./model.ts";

test("[USR-8] what is signed stands behind the #, which no server is sent", () => {
  const address = new URL(chatAddress("https://chat.example/w?lang=en", { appId: "cw", token: "a.b-c_d" }));
  expect([address.pathname, address.search]).toEqual(["/w", "?lang=en"]);
  expect(new URLSearchParams(address.hash.slice(1)).get("token")).toBe("a.b-c_d");
  expect(chatAddress("https://chat.example/", { appId: "cw", token: null })).toBe("https://chat.example/#appId=cw");
});

test("[USR-8] only an open chat with a web address is offered", () => {
  const url = "https://chat.example/";
  expect(readChatUrl({ isOpen: true, url })).toBe(url);
  for (const data of [null, undefined, {}, { isOpen: false, url }, { isOpen: true, url: "javascript:alert(1)" }])
    expect(readChatUrl(data)).toBeNull();
});
