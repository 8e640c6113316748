"use strict";
// What joins this page to its door: the handshake, sealed frames, and who this browser is.
//
// `Link.open` keeps a connection for as long as the visit lasts, and makes a new one when it is
// lost. Nobody who listens reads anything, not even who knows the word: the keys are made of the
// word and of an exchange (X25519) of keys that live as long as one connection. Who this browser is
// it proves by a signature (Ed25519) over that exchange. Its key is made of its secret, which stays
// here, and is short enough to be written down: the return word.
const Link = (() => {
  const { chacha20poly1305, ed25519, hkdf, scryptAsync, sha256, x25519 } = Vendor;
  const utf8 = new TextEncoder(), text = new TextDecoder();

  const LETTERS = 12;
  // Letters of a word: of a door's, which those of the join code follow, and of a secret.
  const ALPHABET = "ACDEFGHJKLMNPQRTUVWXY34679";
  const SILENCE = 5000;
  // Milliseconds without a word of the door, which says one every second, until it is lost.
  const WRONG = 4001;
  // The close code of a door that has another word: trying again would not help.

  const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
  const unhex = (digits) => Uint8Array.from(digits.match(/../g) || [], (each) => parseInt(each, 16));
  const join = (...parts) => Uint8Array.from(parts.flatMap((each) => [...each]));
  const random = (count) => crypto.getRandomValues(new Uint8Array(count));
  const grouped = (letters) => (letters.match(/.{1,4}/g) || []).join("-");
  const lettersOf = (typed) => typed.toUpperCase().replace(/[^A-Z0-9]/g, "");

  // What is kept in this browser, and whether anything can be: a browser may forbid it.

  function recall(name) {
    try { return localStorage.getItem(name); } catch { return null; }
  }

  function keep(name, value) {
    try { localStorage.setItem(name, value); } catch { return false; }
    return true;
  }

  // The fragment of an address: `WORD.CODE`, in any case and with any dashes, and after a `~` each
  // the secret of an identity that another page hands over, and its name. The fragment never crosses
  // the network.

  function read(fragment) {
    const [typed, secret = "", name = ""] = fragment.split("~");
    const letters = lettersOf(typed);
    return {
      word: grouped(letters.slice(0, LETTERS)),
      code: letters.slice(LETTERS),
      secret: comeback(secret),
      name: unescaped(name),
    };
  }

  // The secret that somebody typed, in any case and with any dashes; empty if it is none.
  function comeback(typed) {
    const letters = lettersOf(typed);
    const isWhole = letters.length === LETTERS && [...letters].every((each) => ALPHABET.includes(each));
    return isWhole ? grouped(letters) : "";
  }

  function drawn() {
    let letters = "";
    // What is beyond the last multiple of 26 would make some letters likelier.
    while (letters.length < LETTERS)
      for (const byte of random(LETTERS)) if (byte < 234) letters += ALPHABET[byte % 26];
    return grouped(letters.slice(0, LETTERS));
  }

  function fragment({ word, code = "", secret = "", name = "" }) {
    const handed = secret && `~${secret}~${encodeURIComponent(name)}`;
    return `${word}${code && "."}${code}${handed}`;
  }

  function unescaped(said) {
    try { return decodeURIComponent(said); } catch { return ""; }
  }

  // Who this browser is at the table of one word: `id` is its public key in hex. Another host at the
  // same address is the same origin to a browser, and can read what is kept; so that is named and
  // sealed with keys made of the word.

  function identity(key, secret) {
    const made = hkdf(sha256, key, undefined, utf8.encode("spoof web identity"), 48);
    const name = `spoof-${hex(made.slice(0, 16))}`, seal = made.slice(16);
    const known = secret || opened(seal, recall(name)) || drawn();
    const own = hkdf(sha256, utf8.encode(known), key, utf8.encode("spoof web secret"), 32);
    return {
      secret: known,
      id: hex(ed25519.getPublicKey(own)),
      sign: (purpose, message) => hex(ed25519.sign(framed(purpose, message), own)),
      keep() {
        const nonce = random(12), sealed = chacha20poly1305(seal, nonce).encrypt(utf8.encode(known));
        return keep(name, hex(join(nonce, sealed)));
      },
    };
  }

  function opened(seal, kept) {
    const bytes = unhex(kept || "");
    try {
      return comeback(text.decode(chacha20poly1305(seal, bytes.slice(0, 12)).decrypt(bytes.slice(12))));
    } catch { return ""; }
  }

  function framed(...parts) {
    // A signature for one purpose verifies for no other: each part after its length.
    const length = (part) => [24, 16, 8, 0].map((shift) => part.length >> shift & 255);
    return join(...parts.flatMap((part) => [length(part), part]));
  }

  // The keys of one connection, and a number for each frame.

  function channel(key, door, own) {
    const page = x25519.getPublicKey(own), shared = x25519.getSharedSecret(own, door);
    const keys = hkdf(sha256, join(shared, key), join(door, page), utf8.encode("spoof web"), 64);
    let sent = 0, taken = 0;
    const nonce = (number) => {
      const bytes = new Uint8Array(12);
      new DataView(bytes.buffer).setUint32(0, number, true);
      return bytes;
    };
    return {
      page,
      seal: (data) => chacha20poly1305(keys.slice(0, 32), nonce(++sent)).encrypt(data),
      open: (data) => chacha20poly1305(keys.slice(32), nonce(++taken)).decrypt(data),
    };
  }

  // Join the door at `url` (ws://…/door) for good.
  //
  // `word` is the door's, `secret` one that was handed over or typed, which is kept at once, or empty:
  // then the one that is kept here for this word, or a new one.
  // `hello()` returns what is said in each hello beside who this is.
  // `onBegin()` is called for each connection, before its picture; `onFrame(kind, bytes)` for what
  // the door sends; `onState(state)` with "joined" once the door has answered, "lost" while the link
  // tries again, and at the end with "closed", when somebody closes the door, or "wrong".
  //
  // The link has `send(kind, said)`; `check()`, to look at once whether it still holds;
  // `end()`, to let go of it; `lostFor()`, milliseconds since it was lost, or 0; and, once joined,
  // `secret`, to hand over to another address or to be typed in another browser, and `isKept`,
  // whether a reload finds the seat.
  function open({ url, word, secret = "", hello, onBegin, onFrame, onState }) {
    let key = null, self = null, socket = null, seal = null;
    let delay = 500, heard = 0, lost = 0, isOver = false;
    const link = { send, check, end, lostFor: () => lost && Date.now() - lost, secret: "", isKept: false };

    function send(kind, said) {
      if (seal && socket?.readyState === WebSocket.OPEN) socket.send(seal.seal(utf8.encode(kind + said)));
    }

    function connect() {
      if (isOver || socket || !key) return;
      const own = socket = new WebSocket(url);
      own.binaryType = "arraybuffer";
      seal = null;
      heard = Date.now();
      own.onmessage = (event) => {
        if (own !== socket) return;
        heard = Date.now();
        const data = new Uint8Array(event.data);
        let opened;
        try { opened = seal ? seal.open(data) : greet(data); } catch { return lose(); }
        if (opened) take(opened);
      };
      own.onclose = (event) => {
        if (own !== socket) return;
        if (event.code !== WRONG) return lose();
        end();
        onState("wrong");
      };
    }

    function greet(drawn) {
      seal = channel(key, drawn, random(32));
      const sign = self.sign(utf8.encode("spoof web hello"), join(drawn, seal.page));
      const said = JSON.stringify({ id: self.id, sign, ...hello() });
      socket.send(join(seal.page, seal.seal(utf8.encode(said))));
      onBegin();
    }

    function take(opened) {
      if (lost || !link.secret) {
        delay = 500;
        lost = 0;
        link.secret = self.secret;
        link.isKept = self.keep();
        onState("joined");
      }
      const kind = String.fromCharCode(opened[0]);
      // The page answers itself, so that the door notices when its browser has frozen it.
      if (kind === "h") send("h", "");
      else if (kind === "c") {
        end();
        onState("closed");
      }
      else onFrame(kind, opened.subarray(1));
    }

    function lose() {
      const old = socket;
      socket = null;
      old?.close();
      if (isOver) return;
      lost ||= Date.now();
      onState("lost");
      setTimeout(connect, delay);
      delay = Math.min(5000, delay * 2);
    }

    function check() {
      if (socket && Date.now() - heard > SILENCE) lose();
      connect();
    }

    function end() {
      isOver = true;
      clearInterval(watch);
      const old = socket;
      socket = null;
      old?.close();
    }

    const watch = setInterval(() => { if (socket && Date.now() - heard > SILENCE) lose(); }, 1000);
    scryptAsync(utf8.encode(word), utf8.encode("spoof web door 1"), { N: 2 ** 14, r: 8, p: 1, dkLen: 32 })
      .then((made) => {
        key = made;
        self = identity(key, secret);
        if (secret) self.keep();
        connect();
      });
    return link;
  }

  return { read, fragment, comeback, recall, keep, open };
})();
