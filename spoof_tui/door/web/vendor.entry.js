export {Terminal} from "@xterm/xterm";
export {chacha20poly1305} from "@noble/ciphers/chacha.js";
export {scryptAsync} from "@noble/hashes/scrypt.js";
export {hkdf} from "@noble/hashes/hkdf.js";
export {sha256} from "@noble/hashes/sha2.js";
