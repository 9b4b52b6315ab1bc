import { visibleText } from '../../protocol/visible-text';

export interface ProgressLine {
  readonly show: (done: number, of: number, what: string) => void;
  readonly end: () => void;
}

/** One line that is rewritten on a terminal; otherwise a new line at every 10 %. */
export function progressLine(stream: NodeJS.WriteStream): ProgressLine {
  let tenth = -1;
  return {
    show: (done, of, what) => {
      const text = visibleText(`${done} of ${of}${what === '' ? '' : `: ${what}`}`);
      const reached = Math.floor((done / Math.max(1, of)) * 10);
      if (stream.isTTY) stream.write(`\r\u001b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
      else if (reached > tenth) stream.write(`${text}\n`);
      tenth = Math.max(tenth, reached);
    },
    end: () => {
      if (stream.isTTY) stream.write('\r\u001b[2K');
    },
  };
}
