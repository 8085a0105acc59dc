/**
 * The entries that a later revision may change, add or rewrite, with the section of ISO 32000-2 that gives each its
 * meaning. The rules of each part of the document decide by this table: an entry outside of the table may only be
 * written in another way with the same meaning (in an object of another number, or a text in another encoding).
 */
export const CHANGEABLE_ENTRIES = {
  /** The trailer, besides entries about its own section, such as `Size` and `Prev` (§7.5.5, §7.5.8). */
  trailer: {
    ID: '§14.4',
    Info: '§14.3.3',
  },
  catalog: {
    AcroForm: '§12.7.3',
    DSS: '§12.8.4.3',
    /** Extensions may be added, and their levels may rise. */
    Extensions: '§7.12',
    Metadata: '§14.3.2',
    /** The version may rise. */
    Version: '§7.2.2',
    /** An output intent with the colours of a screen may be added where there is none. */
    OutputIntents: '§14.11.5',
    /** The structure may grow. */
    StructTreeRoot: '§14.7.2',
    /** The page tree may be hung in another way, with the same pages in the same order. */
    Pages: '§7.7.3.2',
    /** Usage rights may be removed, because they add functions of a program only. */
    Perms: '§12.8.6',
  },
  pageNode: {
    Kids: '§7.7.3.2',
    Count: '§7.7.3.2',
    Parent: '§7.7.3.2',
    Resources: '§7.7.3.4',
    MediaBox: '§7.7.3.4',
    CropBox: '§7.7.3.4',
    Rotate: '§7.7.3.4',
  },
  page: {
    Annots: '§12.5.2',
    Parent: '§7.7.3.2',
    /** Informs about the last change. */
    LastModified: '§14.5',
    /** Another order of the annotations. */
    Tabs: '§12.5.1',
    /** A key may be given where there is none. */
    StructParents: '§14.7.5.4',
  },
  form: {
    Fields: '§12.7.3',
    /** Programs may rebuild appearances, or no longer do so. */
    NeedAppearances: '§12.7.3',
    /** Flags may be set. */
    SigFlags: '§12.7.3',
    /** Resources may be added. */
    DR: '§12.7.3',
    /** Defaults for texts may change where no field uses them. */
    DA: '§12.7.4.3',
    Q: '§12.7.4.3',
  },
  structureRoot: {
    K: '§14.7.2',
    ParentTree: '§14.7.5.4',
    ParentTreeNextKey: '§14.7.5.4',
    IDTree: '§14.7.2',
    Namespaces: '§14.7.4.2',
  },
  structureElement: {
    K: '§14.7.2',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type Part = keyof typeof CHANGEABLE_ENTRIES;

/** The entry as a key of the table; undefined for an entry that may not change. */
export const changeableEntry = <Name extends Part>(
  part: Name,
  key: string,
): keyof (typeof CHANGEABLE_ENTRIES)[Name] | undefined =>
  Object.hasOwn(CHANGEABLE_ENTRIES[part], key) ? (key as keyof (typeof CHANGEABLE_ENTRIES)[Name]) : undefined;
