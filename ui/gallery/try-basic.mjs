// Fields, overlays and notices, used by keys and by pointer.

import { check, flow, focused, same, visit } from "./try-harness.mjs";

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
  await tab.waitForTimeout(300);
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
  const box = await tab.getByRole("dialog").boundingBox();
  same(
    "sheet is as wide as the phone, at its bottom",
    [box.x, box.width, Math.round(box.y + box.height)],
    [0, 390, 844],
  );
  await tab.mouse.click(100, 60);
  await tab.getByRole("dialog").waitFor({ state: "detached" });
  await tab.getByRole("button", { name: "Open sheet" }).click();
  await tab.getByRole("dialog").waitFor();
  await tab.waitForTimeout(300);
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
    await tab.waitForTimeout(300);
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
  await tab.mouse.move(5, 5);
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
