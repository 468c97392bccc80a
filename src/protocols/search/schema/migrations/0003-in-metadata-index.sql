-- Retrievable and IsInDocProps (3.1.5.40.1) both say whether the values are kept in the metadata index, where
-- proc_MSS_UpdatePropertyStore itself puts 321 and 322.
update managed_properties set retrievable = 1 where pid in (321, 322);
update managed_properties set is_in_doc_props = retrievable;
