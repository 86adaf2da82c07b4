// Lists, dates, tables, files and gestures, used by keys and by pointer.

import { check, flow, focused, out, same, visit } from "./try-harness.mjs";

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
  await tab.waitForTimeout(400);
  same(
    "focus back on the button",
    await tab.evaluate(() => document.activeElement?.getAttribute("aria-labelledby") !== null),
    true,
  );
  const box = tab.getByRole("combobox", { name: "Market" });
  await box.click();
  await box.pressSequentially("0777");
  await tab.getByRole("option").first().waitFor();
  // While a list is open the library hides the rest of the page from screen readers, fields and all.
  await check(tab, "combobox", ["aria-hidden-focus", "page-has-heading-one"]);
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
  same("sorted from the top", /^\w?\s*BTC/.test(await first()), true);
  await tab.getByRole("button", { name: "Last price" }).click();
  same("and round", /^\w?\s*DOGE/.test(await first()), true);
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
