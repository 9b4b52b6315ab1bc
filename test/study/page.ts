/**
 * Puts each table between its two marks, `<!-- table: NAME -->` and `<!-- end -->`. Throws for a mark without a table.
 */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replace(
    /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const table = tables[name];
      if (table === undefined) throw new RangeError(`The study has no table "${name}".`);
      return `${start}\n${table}\n\n${end}`;
    },
  );
}
