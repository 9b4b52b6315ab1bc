import { toolInput } from '../../models/openai/tool-input';
import { shownInput } from '../../sessions/records/tool-input';

/**
 * Parses the arguments of a call: JSON if it parses, else the text; no text is an empty object. Used for requests and
 * answers alike, so that an answer is recognized when the client sends it back.
 */
export function callInput(text: string): unknown {
  return shownInput(toolInput(text).input);
}
