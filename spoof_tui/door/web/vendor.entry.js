export {Terminal} from "@xterm/xterm";
export {chacha20poly1305} from "@noble/ciphers/chacha.js";
export {ed25519, x25519} from "@noble/curves/ed25519.js";
export {scryptAsync} from "@noble/hashes/scrypt.js";
export {hkdf} from "@noble/hashes/hkdf.js";
export {sha256} from "@noble/hashes/sha2.js";
