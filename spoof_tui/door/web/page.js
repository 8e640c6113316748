"use strict";
const { Terminal } = Vendor;
const at = (id) => document.getElementById(id);
const text = new TextDecoder();
const spoken = (navigator.language || "en").split("-")[0];
const { rows, words } = ALL[spoken] || ALL.en;
document.documentElement.lang = ALL[spoken] ? spoken : "en";

const sun = matchMedia("(prefers-color-scheme: light)");
const term = new Terminal({ cursorBlink: false, scrollback: 0, screenReaderMode: true,
  fontFamily: "monospace", theme: { background: sun.matches ? "#ffffff" : "#121212" } });
term.open(at("table"));
// The soft keyboard opens for talk and for the name only.
term.textarea.inputMode = "none";
// What is new is told in lines that make sense by themselves; and there a peeked hand would stay.
for (const each of at("table").querySelectorAll("[aria-live]")) each.remove();

let invited = Link.read(location.hash), link = null;

// The link to the door

function send(kind, data) { link?.send(kind, data); }

function hello() {
  return { name: Link.recall("spoof-name") || "", code: invited.code,
    columns: term.cols, rows: term.rows, light: sun.matches,
    language: (navigator.language || "en").replace("-", "_") + ".UTF-8",
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
}

function take(kind, said) {
  if (kind === "p") term.write(said);
  else if (kind === "e") {
    link.end();
    ask(text.decode(said) || words.over);
  }
}

function state(named) {
  if (named === "joined") at("news").textContent = "";
  else if (named === "lost") at("news").textContent = words.lost;
  else ask(words[named], named === "wrong");
}

addEventListener("online", () => link?.check());

// What the program tells beside its picture

let coins = 3, isTyping = false, line = null;

term.parser.registerOscHandler(7764, (data) => {
  const kind = data[0], said = data.slice(1);
  if (kind === "s") tell(said);
  else if (kind === "c") { coins = Number(said); hands(); }
  else if (kind === "t") type(said === "1");
  else if (kind === "l") list(said === "1");
  return true;
});

function tell(said) {
  const told = document.createElement("p");
  told.textContent = said;
  at("told").append(told);
  while (at("told").childElementCount > 40) at("told").firstChild.remove();
}

function hands() {
  for (const each of at("buttons").querySelectorAll("[data-id=hide]"))
    each.hidden = Number(each.dataset.sends) > Math.max(3, coins);
}

// In a list, the buttons that choose a bid go up and down, and say yes.
const LISTED = { lower: ["▴", words.up, "\x1b[A"], higher: ["▾", words.down, "\x1b[B"],
  bid: ["⏎", words.choose, "\r"] };

function list(isList) {
  for (const given of rows.flat().filter((each) => each.id in LISTED)) {
    const [label, about, sends] = isList ? LISTED[given.id] : [given.label, given.about, given.sends];
    const made = at("buttons").querySelector(`[data-id=${given.id}]`);
    made.textContent = label;
    made.setAttribute("aria-label", about);
    made.dataset.sends = sends;
  }
}

function type(isWanted) {
  isTyping = isWanted;
  // What would be a letter of the text is no key now.
  for (const each of at("buttons").querySelectorAll("button"))
    each.disabled = isTyping && each.dataset.sends >= " ";
  if (isTyping && line !== null) say(line);
  else if (line === null) at("talk").hidden = !isTyping;
}

function say(said) {
  // Pasted, so that no letter is a key where the program takes no text after all.
  line = null;
  send("k", `\x1b[200~${said}\x1b[201~`);
  send("k", "\r");
  at("talk").hidden = true;
}

at("talk").onsubmit = (event) => {
  event.preventDefault();
  const said = at("line").value;
  at("line").value = "";
  at("line").blur();
  if (isTyping) say(said);
  else if (said) { line = said; at("talk").hidden = true; send("k", talk.sends); }
};

at("stop").onclick = () => {
  line = null;
  at("line").value = "";
  at("talk").hidden = true;
  if (isTyping) send("k", "\x1b[27u");
};

// The buttons

const talk = rows.flat().find((each) => each.id === "say");

function button(given) {
  const made = document.createElement("button");
  made.textContent = given.label;
  made.setAttribute("aria-label", given.about);
  Object.assign(made.dataset, { id: given.id, sends: given.sends });
  const press = () => send("k", made.dataset.sends);
  made.onclick = press;
  if (given.id === "say") made.onclick = () => {
    press();
    at("talk").hidden = false;
    at("line").focus();
  };
  if (given.id !== "peek") return made;
  // Held: keys are repeated as those of a keyboard are. A click without a finger comes from a
  // keyboard or a screen reader.
  let again = 0;
  made.onclick = (event) => { if (event.detail === 0) press(); };
  made.onpointerdown = () => { clearInterval(again); press(); again = setInterval(press, 100); };
  made.onpointerup = made.onpointercancel = made.onpointerleave = () => clearInterval(again);
  made.oncontextmenu = (event) => event.preventDefault();
  return made;
}

for (const row of rows) {
  const line = document.createElement("div");
  line.append(...row.map(button));
  at("buttons").append(line);
}
hands();

// The terminal

// The page says itself whether anybody looks at it.
term.onData((data) => { if (data !== "\x1b[I" && data !== "\x1b[O") send("k", data); });

function fit() {
  const box = at("table").getBoundingClientRect();
  if (box.width < 20 || box.height < 20) return;
  const probe = document.createElement("span");
  probe.style.cssText = "position:absolute;visibility:hidden;white-space:pre;line-height:normal;font-family:monospace";
  probe.textContent = "W".repeat(32);
  document.body.append(probe);
  const cell = (size) => {
    probe.style.fontSize = `${size}px`;
    const { width, height } = probe.getBoundingClientRect();
    return [width / 32, Math.ceil(height)];
  };
  // As large as leaves room for 45 columns and 20 rows; turned, for the table of 80 by 24.
  const isTurned = box.width > box.height;
  const [columns, lines] = isTurned && box.width > 560 ? [80, 24] : [45, 20];
  let size = 18;
  const fits = () => {
    const [width, height] = cell(size);
    return columns * width <= box.width && lines * height <= box.height;
  };
  while (size > 7 && !fits()) size -= 0.5;
  const [width, height] = cell(size);
  probe.remove();
  term.options.fontSize = size;
  const cols = Math.max(45, Math.floor(box.width / width));
  const high = Math.max(20, Math.floor(box.height / height));
  if (cols === term.cols && high === term.rows) return;
  term.resize(cols, high);
  send("s", JSON.stringify({ columns: cols, rows: high }));
}

let title = "Spoof", rang = false;

function entitle() { document.title = (rang ? "● " : "") + title; }

term.onTitleChange((named) => { title = named || "Spoof"; entitle(); });
term.onBell(() => {
  if (!document.hidden) return;
  rang = true;
  entitle();
  navigator.vibrate?.([200, 100, 200]);
});
document.addEventListener("visibilitychange", () => {
  send("k", document.hidden ? "\x1b[O" : "\x1b[I");
  if (document.hidden) return;
  rang = false;
  entitle();
  link?.check();
});
new ResizeObserver(fit).observe(at("table"));

// Coming and going

function ask(why, isWrong) {
  at("news").textContent = why;
  at("code").parentElement.hidden = Boolean(invited.word) && !isWrong;
  at("name").value = Link.recall("spoof-name") || "";
  at("hello").hidden = false;
  at("buttons").hidden = at("talk").hidden = true;
  document.body.className = "asks";
}

function begin() {
  at("hello").hidden = true;
  at("buttons").hidden = false;
  at("news").textContent = "";
  document.body.className = "";
  fit();
  link = Link.open({ ...invited, url: `ws://${location.host}/door`, hello, onBegin: () => term.reset(),
    onFrame: take, onState: state });
}

at("hello").onsubmit = (event) => {
  event.preventDefault();
  Link.keep("spoof-name", at("name").value);
  if (!at("code").parentElement.hidden) {
    invited = Link.read(at("code").value);
    location.replace(`#${Link.fragment(invited)}`);
  }
  begin();
};

for (const [id, said] of [["code-label", "code"], ["name-label", "name"], ["sit", "sit"], ["safe", "safe"]])
  at(id).textContent = words[said];
for (const [id, said] of [["line", "line"], ["tell", "tell"], ["stop", "stop"]])
  at(id).setAttribute("aria-label", words[said]);

if (invited.word && Link.recall("spoof-name")) begin(); else ask("");
