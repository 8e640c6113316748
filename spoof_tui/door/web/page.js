"use strict";
const { Terminal, chacha20poly1305, scryptAsync, hkdf, sha256 } = Vendor;
const at = (id) => document.getElementById(id);
const utf8 = new TextEncoder(), text = new TextDecoder();
const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
const join = (...parts) => Uint8Array.from(parts.flatMap((each) => [...each]));
const words = GIVEN.words;

const term = new Terminal({ fontSize: 13, cursorBlink: false, screenReaderMode: true,
  scrollback: 0, disableStdin: false, fontFamily: "monospace" });
term.open(at("table"));
// The soft keyboard opens for talk and for the name only.
term.textarea.inputMode = "none";
term.onData((data) => send("k", data));

let [word, code] = decodeURIComponent(location.hash.slice(1)).split(".");
let socket = null, seal = null, key = null, delay = 500, isOver = false;

function secret() {
  let known = localStorage.getItem("spoof");
  if (!/^[0-9a-f]{64}$/.test(known || "")) {
    known = hex(crypto.getRandomValues(new Uint8Array(32)));
    localStorage.setItem("spoof", known);
  }
  return known;
}

function channel(key, drawn, own) {
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

function fit() {
  // As many cells as fit, at least 45 columns by 20 rows.
  const box = at("table").getBoundingClientRect();
  if (box.width < 20 || box.height < 20) return;
  const probe = document.createElement("span");
  probe.style.cssText = "position:absolute;visibility:hidden;font:100px monospace";
  probe.textContent = "0000000000";
  document.body.append(probe);
  const wide = probe.getBoundingClientRect().width / 1000;
  probe.remove();
  const size = Math.max(6, Math.min(16, Math.floor((box.width / 45 / wide) * 2) / 2,
    Math.floor((box.height / 20 / 1.2) * 2) / 2));
  term.options.fontSize = size;
  const columns = Math.max(45, Math.floor(box.width / (size * wide)));
  const rows = Math.max(20, Math.floor(box.height / (size * 1.2)));
  if (columns !== term.cols || rows !== term.rows) {
    term.resize(columns, rows);
    send("s", JSON.stringify({ columns, rows }));
  }
}

function send(kind, data) {
  if (seal && socket.readyState === WebSocket.OPEN) socket.send(seal.seal(utf8.encode(kind + data)));
}

function language() {
  return (navigator.language || "en").replace("-", "_") + ".UTF-8";
}

function connect() {
  if (isOver || (socket && socket.readyState <= WebSocket.OPEN)) return;
  const own = socket = new WebSocket(`ws://${location.host}/door`);
  own.binaryType = "arraybuffer";
  seal = null;
  own.onmessage = (event) => {
    if (own !== socket) return;
    const data = new Uint8Array(event.data);
    if (seal === null) {
      const drawn = crypto.getRandomValues(new Uint8Array(32));
      seal = channel(key, data, drawn);
      const hello = { id: secret(), name: localStorage.getItem("spoof-name") || "", code: code || "",
        columns: term.cols, rows: term.rows, language: language(),
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
      own.send(join(drawn, seal.seal(utf8.encode(JSON.stringify(hello)))));
      term.reset();
      return;
    }
    let opened;
    try { opened = seal.open(data); } catch { own.close(); return; }
    delay = 500;
    at("news").textContent = "";
    if (opened[0] === 0x70) term.write(opened.subarray(1));
    else {
      isOver = true;
      at("news").textContent = text.decode(opened.subarray(1));
    }
  };
  own.onclose = (event) => {
    if (own !== socket || isOver) return;
    if (event.code === 4001) { key = null; ask(words.wrong); return; }
    at("news").textContent = words.lost;
    setTimeout(connect, delay);
    delay = Math.min(5000, delay * 2);
  };
}

async function begin() {
  at("hello").hidden = true;
  at("buttons").hidden = false;
  fit();
  key = await scryptAsync(utf8.encode(word), utf8.encode("spoof web door 1"),
    { N: 2 ** 14, r: 8, p: 1, dkLen: 32 });
  connect();
}

function ask(why) {
  at("news").textContent = why;
  at("code").parentElement.hidden = Boolean(word) && !why;
  at("name").value = localStorage.getItem("spoof-name") || "";
  at("hello").hidden = false;
  at("buttons").hidden = true;
}

at("hello").onsubmit = (event) => {
  event.preventDefault();
  localStorage.setItem("spoof-name", at("name").value);
  if (!at("code").parentElement.hidden) {
    const letters = at("code").value.toUpperCase().replace(/[^A-Z0-9]/g, "");
    word = (letters.match(/.{1,4}/g) || []).join("-");
    location.replace("#" + word);
  }
  begin();
};

for (const [id, said] of [["code-label", "code"], ["name-label", "name"], ["sit", "sit"], ["safe", "safe"]])
  at(id).textContent = words[said];

for (const each of GIVEN.buttons) {
  const button = document.createElement("button");
  button.textContent = each.label;
  button.setAttribute("aria-label", each.about);
  button.dataset.id = each.id;
  if (["lower", "bid", "higher"].includes(each.id)) button.className = "third";
  const press = () => {
    if (each.id === "say") { at("talk").hidden = false; at("line").focus(); return; }
    send("k", each.sends);
  };
  button.onclick = press;
  at("buttons").append(button);
  if (each.id !== "peek") continue;
  // Held: keys are repeated as those of a keyboard are.
  let again = 0;
  button.onclick = (event) => { if (event.detail === 0) press(); };
  button.onpointerdown = () => { press(); again = setInterval(press, 100); };
  button.onpointerup = button.onpointercancel = button.onpointerleave = () => clearInterval(again);
}

at("talk").onsubmit = (event) => {
  event.preventDefault();
  const line = at("line").value;
  const talk = GIVEN.buttons.find((each) => each.id === "say");
  if (line) { send("k", talk.sends); setTimeout(() => send("k", line + "\r"), 250); }
  at("line").value = "";
  at("talk").hidden = true;
};

term.onBell(() => {
  if (!document.hidden) return;
  document.title = "● Spoof: " + words.turn;
  if (navigator.vibrate) navigator.vibrate([200, 100, 200]);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  document.title = "Spoof";
  if (key) connect();
});
addEventListener("online", () => { if (key) connect(); });
new ResizeObserver(fit).observe(at("table"));
if (word && localStorage.getItem("spoof-name")) begin(); else ask("");
