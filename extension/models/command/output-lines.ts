import { parsedJson } from '../../platform/json/json-text';

/** The records of an output of JSON lines. Other lines, such as banners and warnings, are left out. */
export function jsonLines(output: string): unknown[] {
  return output.split('\n').flatMap((line) => {
    const value = parsedJson(line);
    return typeof value === 'object' && value !== null ? [value] : [];
  });
}

/** The JSON that an output consists of, possibly after a banner; undefined if the output is not JSON. */
export function jsonOf(output: string): unknown {
  const whole = parsedJson(output);
  if (whole !== undefined) return whole;
  const start = /^[[{]/m.exec(output);
  return start ? parsedJson(output.slice(start.index)) : undefined;
}
