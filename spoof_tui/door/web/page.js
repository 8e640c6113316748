"use strict";
const { Terminal, chacha20poly1305, scryptAsync, hkdf, sha256 } = Vendor;
const at = (id) => document.getElementById(id);
const utf8 = new TextEncoder(), text = new TextDecoder();
const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
const join = (...parts) => Uint8Array.from(parts.flatMap((each) => [...each]));
const spoken = (navigator.language || "en").split("-")[0];
const { rows, words } = ALL[spoken] || ALL.en;
document.documentElement.lang = ALL[spoken] ? spoken : "en";

const SILENCE = 12000;
// Milliseconds without a word of the door, which says one every five seconds, until it is lost.
const CLOSED = 1001, WRONG = 4001, ELSEWHERE = 4002;
const WORD = 12;
// Letters of the word that the key is made of; those after it are the join code.

const sun = matchMedia("(prefers-color-scheme: light)");
const term = new Terminal({ cursorBlink: false, scrollback: 0, screenReaderMode: true,
  fontFamily: "monospace", theme: { background: sun.matches ? "#ffffff" : "#121212" } });
term.open(at("table"));
// The soft keyboard opens for talk and for the name only.
term.textarea.inputMode = "none";
// What is new is told in lines that make sense by themselves.
for (const each of at("table").querySelectorAll("[aria-live]")) each.setAttribute("aria-live", "off");

let word = "", code = "";
let socket = null, seal = null, key = null, delay = 500, heard = 0, isOver = false;

function read(typed) {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  word = (letters.slice(0, WORD).match(/.{1,4}/g) || []).join("-");
  code = letters.slice(WORD);
}

function secret() {
  let known = localStorage.getItem("spoof");
  if (!/^[0-9a-f]{64}$/.test(known || "")) {
    known = hex(crypto.getRandomValues(new Uint8Array(32)));
    localStorage.setItem("spoof", known);
  }
  return known;
}

function channel(drawn, own) {
  const keys = hkdf(sha256, key, join(drawn, own), utf8.encode("spoof web"), 64);
  let sent = 0, taken = 0;
  const nonce = (number) => {
    const bytes = new Uint8Array(12);
    new DataView(bytes.buffer).setUint32(0, number, true);
    return bytes;
  };
  return {
    seal: (data) => chacha20poly1305(keys.slice(0, 32), nonce(++sent)).encrypt(data),
    open: (data) => chacha20poly1305(keys.slice(32), nonce(++taken)).decrypt(data),
  };
}

// The connection

function send(kind, data) {
  if (seal && socket?.readyState === WebSocket.OPEN) socket.send(seal.seal(utf8.encode(kind + data)));
}

function connect() {
  if (isOver || socket || !key) return;
  const own = socket = new WebSocket(`ws://${location.host}/door`);
  own.binaryType = "arraybuffer";
  seal = null;
  heard = Date.now();
  own.onmessage = (event) => {
    if (own !== socket) return;
    heard = Date.now();
    const data = new Uint8Array(event.data);
    if (seal === null) greet(data);
    else try { take(seal.open(data)); } catch { lose(); }
  };
  own.onclose = (event) => {
    if (own !== socket) return;
    const why = { [CLOSED]: words.closed, [WRONG]: words.wrong, [ELSEWHERE]: words.elsewhere }[event.code];
    if (why === undefined) return lose();
    socket = null;
    ask(why, event.code === WRONG);
  };
}

function lose() {
  const old = socket;
  socket = null;
  old?.close();
  if (isOver) return;
  at("news").textContent = words.lost;
  setTimeout(connect, delay);
  delay = Math.min(5000, delay * 2);
}

function greet(drawn) {
  const own = crypto.getRandomValues(new Uint8Array(32));
  seal = channel(drawn, own);
  const hello = { id: secret(), name: localStorage.getItem("spoof-name") || "", code,
    columns: term.cols, rows: term.rows, light: sun.matches,
    language: (navigator.language || "en").replace("-", "_") + ".UTF-8",
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
  socket.send(join(own, seal.seal(utf8.encode(JSON.stringify(hello)))));
  term.reset();
}

function take(opened) {
  delay = 500;
  at("news").textContent = "";
  const kind = String.fromCharCode(opened[0]), said = opened.subarray(1);
  if (kind === "p") term.write(said);
  else if (kind === "e") {
    isOver = true;
    ask(text.decode(said) || words.over);
  }
}

setInterval(() => { if (socket && Date.now() - heard > SILENCE) lose(); }, 1000);
addEventListener("online", connect);

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
  if (socket && Date.now() - heard > SILENCE) lose();
  connect();
});
new ResizeObserver(fit).observe(at("table"));

// Coming and going

function ask(why, isWrong) {
  key = null;
  at("news").textContent = why;
  at("code").parentElement.hidden = Boolean(word) && !isWrong;
  at("name").value = localStorage.getItem("spoof-name") || "";
  at("hello").hidden = false;
  at("buttons").hidden = at("talk").hidden = true;
  document.body.className = "asks";
}

async function begin() {
  at("hello").hidden = true;
  at("buttons").hidden = false;
  at("news").textContent = "";
  document.body.className = "";
  isOver = false;
  fit();
  key = await scryptAsync(utf8.encode(word), utf8.encode("spoof web door 1"),
    { N: 2 ** 14, r: 8, p: 1, dkLen: 32 });
  connect();
}

at("hello").onsubmit = (event) => {
  event.preventDefault();
  localStorage.setItem("spoof-name", at("name").value);
  if (!at("code").parentElement.hidden) {
    read(at("code").value);
    location.replace(`#${word}${code && "."}${code}`);
  }
  begin();
};

for (const [id, said] of [["code-label", "code"], ["name-label", "name"], ["sit", "sit"], ["safe", "safe"]])
  at(id).textContent = words[said];
for (const [id, said] of [["line", "line"], ["tell", "tell"], ["stop", "stop"]])
  at(id).setAttribute("aria-label", words[said]);

read(location.hash);
if (word && localStorage.getItem("spoof-name")) begin(); else ask("");
