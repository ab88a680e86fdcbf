/** Crockford's base32 in lower case, the alphabet of ids: 5 bits a character. */
export const ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
