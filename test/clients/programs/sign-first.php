<?php

// Signs a PDF with openapi-generator's client for PHP: create, upload, query, download.
declare(strict_types=1);

[, $library, $url, $input, $output] = $argv;
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($library): void {
    $file = $library . '/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\') && is_file($file)) {
        require $file;
    }
});

use OpenAPI\Client\Api\SigningServiceApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateTransaction;

$configuration = (new Configuration())->setHost($url);
$api = new SigningServiceApi(new GuzzleHttp\Client(), $configuration);
$request = new CreateTransaction(['type' => 'PAdES', 'documents_source' => 'UPLOAD_REFERENCE']);
$tcn = $api->createTransaction($request)->getTcn();
$api->uploadToOnlySetting($tcn, 'eot', new SplFileObject($input));
$document = $api->queryTransaction($tcn, 60)->getDocuments()[0];
$signed = $api->downloadDocument($tcn, $document->getId());
copy($signed->getPathname(), $output);
