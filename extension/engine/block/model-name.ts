/** Prefixes before a model's own name: `anthropic/`, `us.anthropic.`, `models/`. */
const providerPath = /^.*\/|^(?:[a-z]{2,6}\.)?anthropic\./;

/** A model's own name in lower case, as its provider writes it, without the path that services put in front of it. */
export function plainModelName(model: string): string {
  return model.trim().toLowerCase().replace(providerPath, '');
}
