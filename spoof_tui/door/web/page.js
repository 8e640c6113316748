"use strict";
const { Terminal } = Vendor;
const at = (id) => document.getElementById(id);
const text = new TextDecoder();
const spoken = (navigator.language || "en").split("-")[0];
const words = ALL[spoken] || ALL.en;
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
let called = invited.name || Link.recall("spoof-name") || "";
if (invited.secret) {
  // Handed over by the page of another address: not to stay in the bar, nor be shared from there.
  Link.keep("spoof-name", called);
  history.replaceState(null, "", `#${Link.fragment({ ...invited, secret: "" })}`);
}

// The link to the door

function send(kind, data) { link?.send(kind, data); }

function hello() {
  return { name: called, code: invited.code,
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
  if (named === "joined") {
    const word = document.createElement("b"), [before, after] = words.back.split("{word}");
    word.textContent = link.secret;
    at("back").replaceChildren(before, word, after);
    news("");
  }
  else if (named === "lost") news(isMoved() ? words.moved : words.lost);
  else ask(words[named], named === "wrong");
}

addEventListener("online", () => link?.check());

// What the program tells beside its picture

let isTyping = false, line = null;

term.parser.registerOscHandler(7764, (data) => {
  const kind = data[0], said = data.slice(1);
  if (kind === "s") tell(said);
  else if (kind === "t") type(said === "1");
  else if (kind in PLACES) lay(kind, JSON.parse(said));
  return true;
});

// A text to copy, as a program asks a terminal: a page at a bare address has no other way.
term.parser.registerOscHandler(52, (data) => {
  const bytes = atob(data.split(";")[1]), field = document.createElement("textarea");
  field.value = text.decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  return true;
});

function tell(said) {
  const told = document.createElement("p");
  told.textContent = said;
  at("told").append(told);
  while (at("told").childElementCount > 40) at("told").firstChild.remove();
}

function type(isWanted) {
  isTyping = isWanted;
  if (isTyping && line !== null) say(line);
  else if (line === null) ask_line(isTyping);
}

function ask_line(isWanted) {
  at("talk").hidden = !isWanted;
  settle();
}

function say(said) {
  // Pasted, so that no letter is a key where the program takes no text after all.
  line = null;
  send("k", `\x1b[200~${said}\x1b[201~\r`);
  ask_line(false);
}

at("talk").onsubmit = (event) => {
  event.preventDefault();
  const said = at("line").value;
  at("line").value = "";
  at("line").blur();
  if (isTyping) say(said);
  else if (said) { line = said; ask_line(false); send("k", talks); }
};

at("stop").onclick = () => {
  line = null;
  at("line").value = "";
  ask_line(false);
  if (isTyping) send("k", "\x1b[27u");
};

// The buttons

const PLACES = { b: "main", a: "also", m: "more" };
const FRESH = 250;
// Milliseconds in which a finger that was meant for the button before is not taken for the new one.
const SMALLEST = 10;
// Pixels of the smallest letters on a button.

let talks = "t", isMore = false;

function lay(kind, rows) {
  const place = at(PLACES[kind]);
  while (place.childElementCount > rows.length) place.lastChild.remove();
  rows.forEach((row, number) => {
    const line = place.children[number] || place.appendChild(document.createElement("div"));
    while (line.childElementCount > row.length) line.lastChild.remove();
    row.forEach((given, column) => write(line.children[column] || line.appendChild(button()), given));
  });
  if (kind !== "a") isMore = false;
  settle();
}

// A button keeps its place, and so the focus, when it comes to mean something else.
function write(made, [sends, label, small = "", way = "", about = ""]) {
  if (made.dataset.sends !== sends) {
    made.let_go();
    made.fresh = performance.now() + FRESH;
  }
  made.dataset.sends = sends;
  made.className = way;
  made.firstChild.textContent = label;
  made.lastChild.textContent = small;
  made.setAttribute("aria-label", about || (small ? `${label}, ${small}` : label));
  if (way === "talk") talks = sends;
}

function button() {
  const made = document.createElement("button");
  made.append(document.createElement("span"), document.createElement("small"));
  const is = (way) => made.classList.contains(way);
  const press = () => send("k", made.dataset.sends);
  let again = 0, begun = 0;
  made.let_go = () => { clearInterval(again); again = 0; };
  made.onpointerdown = () => {
    begun = performance.now();
    if (!is("hold") || begun < made.fresh) return;
    // Held: keys are repeated as those of a keyboard are.
    made.let_go();
    press();
    again = setInterval(press, 100);
  };
  made.onpointerup = made.onpointercancel = made.onpointerleave = made.let_go;
  made.oncontextmenu = (event) => event.preventDefault();
  made.onclick = (event) => {
    // A click without a finger comes from a keyboard or a screen reader.
    const isFinger = event.detail !== 0, isLetter = made.dataset.sends >= " ";
    if (isFinger && (is("hold") || begun < made.fresh)) return;
    // What would be a letter of the text is no key now; what accepts the text takes it along.
    if (isLetter && !at("talk").hidden) return;
    if (isTyping && made.dataset.sends === "\r") return at("talk").requestSubmit();
    press();
    if (isMore) more(false);
    if (!is("talk")) return;
    ask_line(true);
    at("line").focus();
  };
  return made;
}

function more(isWanted) {
  isMore = isWanted;
  settle();
}

at("dots").onclick = () => more(!isMore);

// What can be done, the rest of it, or that nothing can be done: they share one place.
function settle() {
  const isTalk = !at("talk").hidden, isNews = Boolean(at("news").textContent);
  at("moved").hidden = !isMoved();
  at("more").hidden = isTalk || isNews || !isMore;
  at("main").hidden = isNews || isMore;
  at("also").hidden = isTalk || isNews || isMore;
  at("back").hidden = at("more").hidden;
  at("dots").hidden = isTalk || isNews || !at("more").childElementCount;
  at("dots").setAttribute("aria-expanded", isMore);
  at("buttons").querySelectorAll("#main button, #also button, #more button").forEach(shrink);
}

// What is too long for its button is written smaller, down to what can still be read.
function shrink(made) {
  made.style.fontSize = "";
  let size = parseFloat(getComputedStyle(made).fontSize);
  const isCut = () => made.scrollWidth > made.clientWidth || made.scrollHeight > made.clientHeight;
  while (isCut() && size > SMALLEST) made.style.fontSize = `${--size}px`;
}

function news(said) {
  at("news").textContent = said;
  settle();
}

// Another address: a browser lets no page read what the page of another address keeps, so this one
// takes its key there. It stays until somebody answers there, because it could not be loaded again.

const MOVED = 10000;
// Milliseconds without a connection after which the host may have another address.

function isMoved() { return (link?.lostFor() || 0) > MOVED; }

setInterval(() => {
  if (at("moved").hidden && isMoved()) news(words.moved);
}, 1000);

at("moved").onsubmit = async (event) => {
  event.preventDefault();
  // Some keyboards of digits have a comma in place of the dot.
  const typed = at("address").value.trim().replace(/[^0-9]+/g, ".");
  if (!/^(\d{1,3}\.){3}\d{1,3}$/.test(typed)) return news(words.digits);
  const there = `http://${typed}:${location.port || 80}/`;
  news(words.lost);
  try {
    await fetch(`${there}door`, { mode: "no-cors", signal: AbortSignal.timeout(5000) });
  } catch { return news(words.nobody); }
  location.assign(`${there}#${Link.fragment({ ...invited, secret: link.secret, name: called })}`);
};

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
new ResizeObserver(() => { fit(); settle(); }).observe(at("table"));

// Coming and going

function ask(why, isWrong) {
  news(why);
  at("code").parentElement.hidden = Boolean(invited.word) && !isWrong;
  at("name").value = called;
  at("comeback").value = "";
  at("hello").hidden = false;
  at("buttons").hidden = true;
  document.body.className = "asks";
}

function begin() {
  at("hello").hidden = true;
  at("buttons").hidden = false;
  news(words.joins);
  document.body.className = "";
  fit();
  link = Link.open({ ...invited, url: `ws://${location.host}/door`, hello, onBegin: renew,
    onFrame: take, onState: state });
}

// Another program begins to show its picture, for which no button of the last one means anything.
function renew() {
  term.reset();
  for (const kind in PLACES) lay(kind, []);
}

at("hello").onsubmit = (event) => {
  event.preventDefault();
  const typed = at("comeback").value.trim(), secret = Link.comeback(typed);
  if (typed && !secret) return news(words.unlike);
  called = at("name").value;
  Link.keep("spoof-name", called);
  if (!at("code").parentElement.hidden) {
    invited = Link.read(at("code").value);
    location.replace(`#${Link.fragment(invited)}`);
  }
  if (secret) invited.secret = secret;
  begin();
};

for (const [id, said] of [["code-label", "code"], ["name-label", "name"], ["come", "come"], ["sit", "sit"], ["safe", "safe"], ["go", "go"]])
  at(id).textContent = words[said];
if (!Link.keep("spoof-name", called)) at("safe").textContent += ` ${words.unkept}`;
for (const [id, said] of [["line", "line"], ["tell", "tell"], ["stop", "stop"], ["dots", "more"], ["address", "address"], ["comeback", "come"]])
  at(id).setAttribute("aria-label", words[said]);

if (invited.word && called) begin(); else ask("");
