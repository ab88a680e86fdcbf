declare module "snowball-stemmers" {
  export interface Stemmer {
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: string): Stemmer };
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other.
  export default snowball;
}
