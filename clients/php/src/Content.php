<?php

declare(strict_types=1);

namespace Sinete;

/** A document in memory. Documents are given as paths of files, or as this. */
final class Content
{
    public function __construct(public readonly string $name, public readonly string $data)
    {
    }

    /**
     * The part of a form for a document. @internal
     */
    public static function part(string|self $document): \CURLFile|\CURLStringFile
    {
        $name = self::nameOf($document);
        $type = str_ends_with(strtolower($name), '.pdf') ? 'application/pdf' : 'application/octet-stream';
        if ($document instanceof self) {
            return new \CURLStringFile($document->data, $name, $type);
        }
        if (!is_readable($document)) {
            throw new \InvalidArgumentException("{$document} cannot be read.");
        }
        return new \CURLFile($document, $type, $name);
    }

    /** @internal */
    public static function nameOf(string|self $document): string
    {
        return $document instanceof self ? $document->name : basename($document);
    }

    /** Bytes. @internal */
    public static function sizeOf(string|self $document): int
    {
        return $document instanceof self ? strlen($document->data) : (int) filesize($document);
    }
}
