<?php

// Signs every PDF of a folder and shows the progress: php sign-batch.php folder results

declare(strict_types=1);

use Sinete\Progress;
use Sinete\Sinete;

require getcwd() . '/vendor/autoload.php';

[, $folder, $results] = $argv;
$sources = glob("{$folder}/*.pdf") ?: [];
$show = static function (Progress $progress): void {
    echo $progress->phase === 'uploading'
        ? "uploading {$progress->sent} of {$progress->size} bytes\n"
        : "{$progress->phase}: {$progress->signed} of {$progress->documents} signed, {$progress->failed} failed\n";
};
is_dir($results) || mkdir($results);
$sinete = new Sinete(getenv('SINETE_ADDRESS') ?: 'http://127.0.0.1:17171');
foreach ($sinete->sign($sources, onProgress: $show) as $document) {
    $name = basename($document->source);
    if ($document->status === 'SIGNED') {
        $document->save("{$results}/{$name}");
    } else {
        echo "{$name}: {$document->errorCode}: {$document->errorDetail}\n";
    }
}
