import { toolInput } from '../../models/openai/tool-input';
import { shownInput } from '../../sessions/records/tool-input';

/**
 * The input of a call, from its arguments as text: JSON where it parses, else the text; none is an empty object. Requests
 * and answers read it alike, so that an answer is recognised when the client sends it back.
 */
export function callInput(text: string): unknown {
  return shownInput(toolInput(text).input);
}
