// Uses the components as a person does, by keys and by pointer, and says what did not behave:
// node ui/gallery/try.mjs <out folder>

import axe from "axe-core";
import { openGallery } from "./serve.mjs";

const out = process.argv[2] ?? ".";
const gallery = await openGallery();
let failures = 0;

function same(what, got, wanted) {
  const ok = JSON.stringify(got) === JSON.stringify(wanted);
  if (!ok) failures++;
  console.log(ok ? "ok  " : "FAIL", what, ok ? "" : `got ${JSON.stringify(got)} wanted ${JSON.stringify(wanted)}`);
}

async function visit(page, theme = "light", options = {}) {
  const tab = await gallery.browser.newPage({
    viewport: { width: 1200, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  tab.on("pageerror", (error) => same(`${page}: no error`, error.message, ""));
  tab.on("console", (message) => message.type() === "error" && same(`${page}: no console error`, message.text(), ""));
  await tab.goto(gallery.address(page, theme));
  tab.setDefaultTimeout(5000);
  return tab;
}

async function check(tab, name) {
  await tab.waitForTimeout(250);
  await tab.screenshot({ path: `${out}/try-${name}.png` });
  await tab.evaluate(axe.source);
  const found = await tab.evaluate(() => globalThis.axe.run());
  for (const violation of found.violations) {
    failures++;
    console.log(
      "FAIL axe",
      name,
      violation.id,
      violation.nodes[0]?.html.slice(0, 220),
      violation.nodes[0]?.any[0]?.message ?? "",
    );
  }
}

const focused = (tab) =>
  tab.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute("aria-label"));
const flows = [];
const flow = (name, run) => flows.push([name, run]);

flow("amount", async () => {
  const tab = await visit("element-plus");
  const field = tab.getByRole("textbox", { name: "Amount" });
  await field.fill("");
  await field.pressSequentially("1,000.5");
  same("typed 1,000.5", await field.inputValue(), "1,000.5");
  await field.press("Home");
  await field.press("ArrowRight");
  await field.pressSequentially("9");
  same(
    "caret kept in the middle",
    [await field.inputValue(), await field.evaluate((e) => e.selectionStart)],
    ["19,000.5", 2],
  );
  await field.press("ArrowRight");
  await field.press("Backspace");
  same(
    "backspace over a comma takes the digit",
    [await field.inputValue(), await field.evaluate((e) => e.selectionStart)],
    ["1,000.5", 1],
  );
  await field.fill("1e5");
  same("exponent refused", await tab.getByText("Illegal input").count(), 1);
  await field.blur();
  await field.fill("99999999");
  same("fault named", await tab.getByText("More than is available.").count(), 1);
  await tab.getByRole("button", { name: "Max" }).click();
  same("max fills in", await field.inputValue(), "25,620.00");
  const price = tab.getByRole("textbox", { name: "Price" });
  await price.focus();
  await price.press("ArrowUp");
  same("arrow steps", await price.inputValue(), "64,050.1");
  await price.press("Shift+ArrowDown");
  same("shift steps ten", await price.inputValue(), "64,049.1");
  await tab.getByRole("button", { name: "Increase" }).click();
  same("stepper", await price.inputValue(), "64,049.2");
  await tab.close();
});

flow("code", async () => {
  const tab = await visit("element-plus");
  const boxes = tab.getByRole("textbox", { name: /^Digit/ });
  await boxes.nth(3).focus();
  await tab.keyboard.type("12");
  const read = async () => (await Promise.all([0, 1, 2, 3, 4, 5].map((i) => boxes.nth(i).inputValue()))).join("|");
  same("typing moves on", await read(), "4|0|7|1|2|");
  await tab.keyboard.press("Backspace");
  same("backspace goes back", await read(), "4|0|7|1||");
  await tab.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text", "code: 981 234");
    document.activeElement.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  same("paste fills all", await read(), "9|8|1|2|3|4");
  await tab.keyboard.press("Home");
  await tab.keyboard.type("5");
  same("a digit replaces a digit", await read(), "5|8|1|2|3|4");
  await check(tab, "code");
  await tab.close();
});

flow("dialog", async () => {
  const tab = await visit("element-plus");
  await tab.getByRole("button", { name: "Open dialog" }).focus();
  await tab.keyboard.press("Enter");
  const dialog = tab.getByRole("dialog");
  await dialog.waitFor();
  await check(tab, "dialog-light");
  for (let i = 0; i < 9; i++) await tab.keyboard.press("Tab");
  same("focus stays inside", await dialog.evaluate((e) => e.contains(document.activeElement)), true);
  const head = tab.getByText("Confirm sell");
  const before = await dialog.boundingBox();
  const grab = await head.boundingBox();
  await tab.mouse.move(grab.x + 20, grab.y + 8);
  await tab.mouse.down();
  await tab.mouse.move(grab.x + 120, grab.y + 58, { steps: 4 });
  const moved = await dialog.boundingBox();
  same("dragged by its head", [Math.round(moved.x - before.x), Math.round(moved.y - before.y)], [100, 50]);
  await tab.mouse.move(grab.x, 5000, { steps: 4 });
  same("72 px stay at the bottom", Math.round((await dialog.boundingBox()).y), 900 - 72);
  await tab.mouse.up();
  await tab.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  same("focus returns", await focused(tab), "Open dialog");
  await tab.close();
  const dark = await visit("element-plus", "dark");
  await dark.getByRole("button", { name: "Open dialog" }).click();
  await check(dark, "dialog-dark");
  await dark.getByRole("button", { name: "Close this dialog" }).click();
  await dark.getByRole("dialog").waitFor({ state: "detached" });
  await dark.close();
});

flow("sheet", async () => {
  const tab = await visit("element-plus", "light", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await tab.getByRole("button", { name: "Open sheet" }).click();
  await tab.getByRole("dialog").waitFor();
  await check(tab, "sheet");
  await tab.keyboard.press("Escape");
  await tab.getByRole("dialog").waitFor({ state: "detached" });
  same("sheet closed", await tab.getByRole("dialog").count(), 0);
  await tab.close();
});

flow("menu", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await visit("element-plus", theme);
    await tab.getByRole("button", { name: "Menu" }).focus();
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("ArrowDown");
    await check(tab, `menu-${theme}`);
    await tab.keyboard.press("Escape");
    await tab.getByRole("menu").waitFor({ state: "detached" });
    same("menu focus returns", await focused(tab), "Menu");
    await tab.close();
  }
});

flow("toast", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await visit("element-plus", theme);
    await tab.getByRole("button", { name: "Done" }).click();
    await tab.getByRole("button", { name: "Refused" }).click();
    await tab.getByText("Order refused").waitFor();
    await check(tab, `toast-${theme}`);
    await tab.getByRole("button", { name: "Close" }).first().click();
    await tab.waitForTimeout(200);
    same("one toast closed", await tab.getByRole("alertdialog").count(), 1);
    await tab.close();
  }
});

flow("tooltip", async () => {
  const tab = await visit("element-plus");
  await tab.getByRole("button", { name: "Refresh" }).hover();
  await tab.getByRole("tooltip").waitFor();
  await check(tab, "tooltip");
  await tab.close();
});

flow("slider", async () => {
  const tab = await visit("element-plus");
  const slider = tab.getByRole("slider");
  await slider.focus();
  await tab.keyboard.press("ArrowRight");
  same("arrow moves one", await slider.inputValue(), "63");
  await tab.keyboard.press("PageUp");
  same("page goes to the next stop", await slider.inputValue(), "75");
  await tab.keyboard.press("ArrowLeft");
  same("arrow leaves a stop", await slider.inputValue(), "74");
  await check(tab, "slider");
  await tab.close();
});

flow("select", async () => {
  const tab = await visit("select");
  await tab.getByRole("button", { name: "Valid", exact: false }).first().click();
  await check(tab, "select-open");
  await tab.getByRole("option", { name: "Fill or kill" }).click();
  same("picked", await tab.getByRole("button", { name: /Fill or kill/ }).count(), 2);
  await tab.getByRole("button", { name: /Country/ }).click();
  await tab.keyboard.type("arab em");
  await tab.getByRole("option").first().waitFor();
  await check(tab, "country");
  await tab.keyboard.press("ArrowDown");
  same("search finds", await tab.getByRole("option").count(), 1);
  await tab.keyboard.press("Escape");
  await tab.keyboard.press("Escape");
  await tab.getByRole("button", { name: /Asset/ }).click();
  await tab.keyboard.type("so");
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("Enter");
  same("asset picked by keys", await tab.getByRole("button", { name: /Asset SOL/ }).count(), 1);
  same(
    "focus back on the button",
    await tab.evaluate(() => document.activeElement?.getAttribute("aria-labelledby") !== null),
    true,
  );
  const box = tab.getByRole("combobox", { name: "Market" });
  await box.click();
  await box.pressSequentially("0777");
  await tab.getByRole("option").first().waitFor();
  await check(tab, "combobox");
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("Enter");
  same("combobox picked", await box.inputValue(), "Market 0777");
  await box.blur();
  await tab.waitForTimeout(100);
  same("combobox keeps it", await box.inputValue(), "Market 0777");
  const phone = tab.getByRole("textbox", { name: "Phone" });
  await phone.pressSequentially("50a-12");
  same("phone takes digits", await phone.inputValue(), "5012");
  await tab.close();
});

flow("date", async () => {
  for (const theme of ["light", "dark"]) {
    const tab = await visit("date", theme);
    await tab.getByRole("spinbutton", { name: /day, Settlement/ }).focus();
    await tab.keyboard.press("ArrowUp");
    same("segment steps", await tab.getByText("Value: 2026-11-16").count(), 1);
    await tab
      .getByRole("button", { name: /calendar/i })
      .first()
      .click();
    await check(tab, `calendar-${theme}`);
    await tab.getByRole("button", { name: /November 20/ }).click();
    same("day picked", await tab.getByText("Value: 2026-11-20").count(), 1);
    await tab
      .getByRole("button", { name: /calendar/i })
      .nth(1)
      .click();
    await check(tab, `range-${theme}`);
    await tab.getByRole("button", { name: "Last 7 days" }).click();
    await tab.getByRole("dialog").waitFor({ state: "detached" });
    same(
      "preset",
      (await tab.getByRole("group", { name: "Period" }).first().innerText()).replace(/\s/g, "").includes("2026-11-09"),
      true,
    );
    await tab.close();
  }
});

flow("drag-sort", async () => {
  const tab = await visit("drag-sort");
  const order = () =>
    tab
      .getByRole("list", { name: "Panels" })
      .getByRole("listitem")
      .allInnerTexts()
      .then((all) => all.map((t) => t.split("\n")[0]).join());
  await tab.getByRole("button", { name: "Reorder Order book" }).focus();
  await tab.keyboard.press("Space");
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("ArrowDown");
  same("keys move", await order(), "Chart,Trades,Order book,Order form,Positions");
  same("focus follows", await focused(tab), "Reorder Order book");
  await check(tab, "drag-keys");
  await tab.keyboard.press("Escape");
  same("esc restores", await order(), "Order book,Chart,Trades,Order form,Positions");
  const grip = await tab.getByRole("button", { name: "Reorder Positions" }).boundingBox();
  await tab.mouse.move(grip.x + 10, grip.y + 10);
  await tab.mouse.down();
  await tab.mouse.move(grip.x + 10, grip.y - 140, { steps: 6 });
  await check(tab, "drag-pointer");
  await tab.mouse.up();
  same("pointer moves", await order(), "Order book,Chart,Positions,Trades,Order form");
  await tab.close();
});

flow("captcha", async () => {
  const tab = await visit("geetest");
  await tab
    .getByRole("button", { name: /person/ })
    .first()
    .click();
  await tab.getByText(/nonce \d+/).waitFor({ timeout: 20000 });
  await tab
    .getByRole("button", { name: /person/ })
    .first()
    .click();
  await tab.getByText("lot_number, pass_token").waitFor();
  await check(tab, "captcha");
  same("both solved", await tab.getByText("Checked").count(), 2);
  await tab.close();
});

flow("table", async () => {
  const tab = await visit("element-plus-data");
  const first = () => tab.getByRole("table", { name: "Markets" }).getByRole("row").nth(1).innerText();
  await tab.getByRole("button", { name: "Last price" }).click();
  same("sorted from the top", (await first()).startsWith("BTC"), true);
  await tab.getByRole("button", { name: "Last price" }).click();
  same("and round", (await first()).startsWith("DOGE"), true);
  await tab.getByRole("textbox", { name: "Filter pairs" }).fill("eth");
  same("filtered", await tab.getByRole("table", { name: "Markets" }).getByRole("row").count(), 2);
  const saving = tab.waitForEvent("download");
  await tab.getByRole("button", { name: "CSV" }).click();
  const saved = await saving;
  same("file name", /^markets-\d{4}-\d\d-\d\d\.csv$/.test(saved.suggestedFilename()), true);
  const text = await (await import("node:fs/promises")).readFile(await saved.path(), "utf8");
  same("file text", text, '\uFEFFPair,Last price,24h change,"Volume, M"\r\nETH,3182.46,2.61,742.90\r\n');
  const fills = tab.getByRole("table", { name: "Fills" });
  same("few rows drawn", (await fills.getByRole("row").count()) < 40, true);
  await tab.getByRole("group", { name: "Fills" }).evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await tab.getByRole("cell", { name: "10000", exact: true }).waitFor();
  await tab.getByRole("img", { name: "Total, 90 days" }).scrollIntoViewIfNeeded();
  const curve = tab.getByRole("button", { name: "Total, 90 days" });
  await curve.hover({ position: { x: 400, y: 40 } });
  const depth = tab.getByRole("button", { name: "Depth of BTC/USDT" });
  await tab.screenshot({ path: `${out}/try-curve.png` });
  await depth.focus();
  await tab.keyboard.press("End");
  same(
    "keys read the curve",
    (await tab.evaluate(() => document.activeElement.getAttribute("aria-label"))).includes("64180.0"),
    true,
  );
  await check(tab, "depth");
  await tab.close();
});

flow("upload", async () => {
  const tab = await visit("element-plus-data");
  await tab.locator("input[type=file]").setInputFiles([
    { name: "passport.png", mimeType: "image/png", buffer: Buffer.alloc(2048) },
    { name: "run.exe", mimeType: "application/x-msdownload", buffer: Buffer.alloc(10) },
  ]);
  await tab.getByText("Not an image or PDF.").waitFor();
  await check(tab, "upload");
  await tab.getByRole("progressbar", { name: "passport.png" }).waitFor({ state: "detached" });
  await tab.getByRole("button", { name: "Remove run.exe" }).click();
  same("one file left", await tab.getByText("run.exe").count(), 0);
  await tab.close();
});

flow("hooks", async () => {
  const tab = await visit("directives");
  const pad = tab.getByText("Tap, hold or swipe here");
  const box = await pad.boundingBox();
  await tab.mouse.move(box.x + 5, box.y + 5);
  await tab.mouse.down();
  await tab.mouse.move(box.x + 80, box.y + 5, { steps: 5 });
  await tab.mouse.up();
  same("swipe", await tab.getByText(/Swipe right, 75 px/).count(), 1);
  await tab.getByRole("button", { name: /Hold me/ }).hover();
  await tab.mouse.down();
  await tab.waitForTimeout(450);
  await tab.mouse.up();
  same("long press", await tab.getByRole("button", { name: "Hold me 1" }).count(), 1);
  await tab.keyboard.press("s");
  same("hotkey", await tab.getByText("S, sell").count(), 1);
  await tab.getByRole("button", { name: "Open" }).click();
  await tab.getByText("Press anywhere else.").waitFor();
  await tab.mouse.click(900, 850);
  same("outside closes", await tab.getByText("Press anywhere else.").count(), 0);
  await tab.setViewportSize({ width: 390, height: 844 });
  await tab.getByText("mobile").waitFor();
  await tab.close();
});

const only = process.argv[3]?.split(",");
for (const [name, run] of flows) {
  if (only && !only.includes(name)) continue;
  try {
    await run();
  } catch (error) {
    failures++;
    console.log("FAIL", name, error.message.split("\n").slice(0, 6).join(" / "));
  }
}
console.log(failures === 0 ? "all behaved" : `${failures} did not behave`);
await gallery.close();
process.exitCode = failures === 0 ? 0 : 1;
