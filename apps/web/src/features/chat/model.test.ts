// The address of the chat.
import { expect, test } from "vitest";
import { chatAddress, joinMessages, readChat, readChatState } from "./model.ts";

test("[USR-8] the signed part is behind the #, which no server receives", () => {
  const address = new URL(chatAddress("https://chat.example/w?lang=en", { appId: "cw", token: "a.b-c_d" }));
  expect([address.pathname, address.search]).toEqual(["/w", "?lang=en"]);
  expect(new URLSearchParams(address.hash.slice(1)).get("token")).toBe("a.b-c_d");
  expect(chatAddress("https://chat.example/", { appId: "cw", token: null })).toBe("https://chat.example/#appId=cw");
});

test("[USR-8] the own chat is offered, and of another only an open one with a web address", () => {
  const url = "https://chat.example/";
  const outside = { provider: "outside", isOpen: true, url };
  expect(readChat(outside)).toEqual({ url });
  expect(readChat({ provider: "own", isOpen: false, url: null })).toBe("own");
  for (const data of [null, undefined, {}, { ...outside, isOpen: false }, { ...outside, url: "javascript:alert(1)" }])
    expect(readChat(data)).toBeNull();
});

test("[USR-8] the channel's message is a whole state or nothing", () => {
  const state = { unread: 1, lastId: 7, readId: 3 };
  expect(readChatState(state)).toEqual(state);
  for (const data of [null, undefined, {}, { ...state, unread: "1" }]) expect(readChatState(data)).toBeUndefined();
});

test("[USR-8] messages of several answers appear once each, in their order", () => {
  expect(joinMessages([{ id: 1 }, { id: 3 }], [{ id: 2 }, { id: 3 }])).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});
