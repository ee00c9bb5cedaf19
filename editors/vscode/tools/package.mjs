// Makes the .vsix: a zip with a manifest, the types of its files, and the extension.
//
//   node tools/package.mjs [--out FILE]
//
// The same files give the same bytes, on every machine: entries are sorted, have one date and are
// not compressed, since compressors differ. Nothing is downloaded.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const license = join(home, '..', '..', 'LICENSE');

// The patterns of .vscodeignore that we use: a name, or a folder with all that is in it.
function ignored(text) {
  const rules = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return rules.map((rule) => {
    const folder = /^([^*?[\]{}!]+\/)\*\*$/.exec(rule);
    if (folder) return (name) => name.startsWith(folder[1]);
    if (/[*?[\]{}!]/.test(rule)) throw new Error(`.vscodeignore: '${rule}' is not understood`);
    return (name) => name === rule;
  });
}

function filesOf(dir) {
  const rules = ignored(readFileSync(join(dir, '.vscodeignore'), 'utf8'));
  return readdirSync(dir, { recursive: true })
    .filter((name) => statSync(join(dir, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !rules.some((rule) => rule(name)));
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const xml = (text) => String(text).replace(/[&<>"']/g, (sign) => escapes[sign]);

function manifest(p) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(p.name)}" Version="${xml(p.version)}" Publisher="${xml(p.publisher)}" />
    <DisplayName>${xml(p.displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(p.description)}</Description>
    <Tags>${xml([...p.keywords, ...p.contributes.languages.map((l) => l.id)].filter((t, i, all) => all.indexOf(t) === i).join(','))}</Tags>
    <Categories>${xml(p.categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(p.engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
      <Property Id="Microsoft.VisualStudio.Code.LocalizedLanguages" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExecutesCode" Value="true" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const contentTypes = {
  '.js': 'application/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.vsixmanifest': 'text/xml',
};

function types(names) {
  const extensions = [...new Set(names.map((name) => extname(name)))].sort();
  const lines = extensions.map((extension) => {
    const type = contentTypes[extension];
    if (!type) throw new Error(`no content type is known for '${extension}'`);
    return `  <Default Extension="${extension}" ContentType="${type}" />\n`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${lines.join('')}</Types>
`;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

// A zip of [name, bytes], in this order.
function zip(entries) {
  const version = 20;
  const utf8Names = 0x0800;
  const stored = 0;
  const time = 0;
  const date = (1 << 5) | 1; // 1 January 1980, the first day that a zip knows
  const regularFile = (0o100644 << 16) >>> 0;
  const fields = (list) =>
    Buffer.concat(list.map(([size, value]) => {
      const field = Buffer.alloc(size);
      field.writeUIntLE(value, 0, size);
      return field;
    }));
  const local = [];
  const central = [];
  let offset = 0;
  for (const [name, bytes] of entries) {
    const path = Buffer.from(name, 'utf8');
    const common = [
      [2, version], [2, utf8Names], [2, stored], [2, time], [2, date],
      [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, path.length], [2, 0],
    ];
    const head = fields([[4, 0x04034b50], ...common]);
    local.push(head, path, bytes);
    central.push(
      fields([[4, 0x02014b50], [2, (3 << 8) | version], ...common, [2, 0], [2, 0], [2, 0], [4, regularFile], [4, offset]]),
      path,
    );
    offset += head.length + path.length + bytes.length;
  }
  const directory = Buffer.concat(central);
  const end = fields([
    [4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length],
    [4, directory.length], [4, offset], [2, 0],
  ]);
  return Buffer.concat([...local, directory, end]);
}

function build() {
  const description = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  if (description.dependencies) throw new Error('the package has dependencies, which would have to be packed');
  const files = new Map(filesOf(home).map((name) => [`extension/${name}`, readFileSync(join(home, name))]));
  files.set('extension/LICENSE.txt', readFileSync(license));
  files.set('extension.vsixmanifest', Buffer.from(manifest(description), 'utf8'));
  files.set('[Content_Types].xml', Buffer.from(types([...files.keys()]), 'utf8'));
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return { name: `${description.name}-${description.version}.vsix`, bytes: zip(sorted), count: sorted.length };
}

const [option, value, ...rest] = process.argv.slice(2);
if (option !== undefined && (option !== '--out' || value === undefined || rest.length > 0)) {
  console.error('usage: node tools/package.mjs [--out FILE]');
  process.exit(2);
}
const made = build();
const out = value === undefined ? join(home, 'dist', made.name) : resolve(value);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, made.bytes);
console.log(`${relative(process.cwd(), out)}: ${made.count} files, ${made.bytes.length} bytes`);
